// The device continues while the host does: work that may have to wait for others has a thread of its own, which only
// runs while some other thread lets it.
//
// At any time one thread works for the device: the host's thread in a call, which holds the runtime's lock, or a device
// thread for which that one waits. So work is executed in the documented order, one piece after another. Only a grid
// that cannot continue is suspended: its thread hands over control, the call returns, and other work runs. A suspended
// grid continues
//
// - after other work was executed, in the call that submitted it, so that grids that wait for each other give the same
//   result each time;
// - when the host queries it or waits for it (cudaStreamQuery, cudaStreamSynchronize, ...);
// - in the background, if it polls memory that the host can write: the host's code need not make a call.
//
// When the host waits and nothing can continue, other threads of the program may still store or call something. They
// have Options::patience seconds; without such threads, the grid is at fault immediately.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "common/simulator/machine/launch.h"
#include "common/simulator/runtime/suspended_work.h"

namespace warpbook::simulator::runtime {

class DeviceThread;
class Runtime;

class DeviceProgress {
 public:
  using Clock = std::chrono::steady_clock;

  explicit DeviceProgress(Runtime& runtime);
  ~DeviceProgress();
  DeviceProgress(const DeviceProgress&) = delete;
  DeviceProgress& operator=(const DeviceProgress&) = delete;

  /// Executes @p work on a device thread. If it has to wait, the backlog keeps the rest of it (Backlog::suspend).
  void perform(std::function<void()> work);
  /// Whether this thread is a device thread, whose work may wait.
  static bool can_wait();
  /// A grid on this thread waits: others may run. @returns when it may poll again, or must end
  WaitAnswer wait(const GridWait& wait);

  /// How suspended work proceeds: it ends if the device has failed.
  WaitAnswer answer() const;
  /// There may be work for the background thread: something suspended that polls host memory, or late work.
  void watch();
  /// The host waits, and nothing has continued since @p since. Waits a little for the program's other threads. @returns
  /// false if there are none, or if it has waited long enough
  bool wait_for_host(Clock::time_point since);
  /// The process ends: the background thread stops.
  void end();

 private:
  friend class SuspendedThread;
  DeviceThread& idle_thread();
  /// @returns whether its work has ended; then the thread is idle again
  bool run(DeviceThread& thread, WaitAnswer answer);
  void run_in_background();

  Runtime& runtime_;
  int process_;
  std::vector<std::unique_ptr<DeviceThread>> threads_;
  std::vector<DeviceThread*> idle_;
  bool has_background_ = false;
  std::mutex mutex_;  ///< Guards the following members.
  std::condition_variable wake_;
  bool watched_ = false;
  std::atomic<bool> ended_ = false;
};

}  // namespace warpbook::simulator::runtime

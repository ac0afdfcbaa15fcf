// The device goes on while the host does: work that may have to wait for others has a thread of its own, which stands
// still but for the moments in which somebody lets it go on.
//
// At any time one thread works for the device: the host's thread in a call, which holds the runtime's lock, or a thread
// of the device for which that one waits meanwhile. So work is done in the documented order, one piece after another.
// Only a grid that cannot go on is suspended: its thread hands back, the call returns, and other work runs. A suspended
// grid goes on
//
// - after other work was done: in the call that has put that into a stream, so that grids that wait for each other come
//   out the same each time;
// - when the host asks or waits for it (cudaStreamQuery, cudaStreamSynchronize, ...);
// - in the background, if it looks at memory that the host can write: the host's code need not call anything.
//
// When the host waits and nothing can go on, other threads of the program may still store or call something. They are
// given Options::patience; without any, the grid is at fault at once.
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

  /// Does @p work on a thread of the device. If that waits, the backlog keeps the rest of it (Backlog::suspend).
  void perform(std::function<void()> work);
  /// This thread is one of the device: its work may wait.
  static bool can_wait();
  /// A grid on this thread waits: others may run. @returns when it may look again, or is to end
  WaitAnswer wait(const GridWait& wait);

  /// How suspended work goes on: it stops where the device has failed.
  WaitAnswer answer() const;
  /// There may be work for the background: something is suspended that looks at memory of the host's, or is late.
  void watch();
  /// The host waits, and nothing has gone on since @p since. Waits a little for the program's other threads. @returns
  /// false if there are none, or it has waited long enough
  bool wait_for_host(Clock::time_point since);
  /// The process ends: nothing goes on in the background any more.
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
  std::mutex mutex_;  ///< Of what is below.
  std::condition_variable wake_;
  bool watched_ = false;
  std::atomic<bool> ended_ = false;
};

}  // namespace warpbook::simulator::runtime

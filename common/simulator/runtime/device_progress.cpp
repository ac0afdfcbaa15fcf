// Device threads, and who lets them run.
#include "common/simulator/runtime/device_progress.h"

#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <exception>
#include <string>
#include <thread>
#include <utility>

#include "common/simulator/runtime/host.h"
#include "common/simulator/runtime/runtime.h"

namespace warpbook::simulator::runtime {
namespace {

using namespace std::chrono_literals;

/// Pauses between polls in the background, and between those of a host that waits for its other threads.
constexpr auto kShortestPause = 20us, kLongestPause = std::chrono::microseconds(1000);

thread_local DeviceThread* this_device_thread = nullptr;

/// A thread that does not receive the program's signals.
template <class Body>
void start_thread(Body body) {
  sigset_t all, before;
  sigfillset(&all);
  for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP}) sigdelset(&all, fault);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    std::thread(std::move(body)).detach();
  } catch (...) {
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    throw;
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

/// One thread stops, another one continues. The standard library's semaphores spin for a while first, which costs more
/// than it saves if the processors are busy.
class Signal {
 public:
  Signal() { ::sem_init(&semaphore_, 0, 0); }
  ~Signal() { ::sem_destroy(&semaphore_); }
  Signal(const Signal&) = delete;
  Signal& operator=(const Signal&) = delete;
  void give() { ::sem_post(&semaphore_); }
  void await() {
    while (::sem_wait(&semaphore_) != 0 && errno == EINTR) {
    }
  }

 private:
  sem_t semaphore_;
};

}  // namespace

/// Runs one piece of work after another; each runs only during run().
class DeviceThread {
 public:
  DeviceThread() {
    start_thread([this] { serve(); });
  }

  void begin(std::function<void()> work) {
    work_ = std::move(work);
    ended_ = false;
  }
  /// Waits until the work has ended, or has to wait.
  void run(WaitAnswer answer) {
    answer_ = answer;
    holder_ = RuntimeLock::holder();
    go_.give();
    back_.await();
  }
  /// Rethrows the exception of work that has ended.
  void rethrow() {
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  }
  bool ended() const { return ended_; }
  const GridWait& waits() const { return wait_; }

  /// Called on the device thread.
  WaitAnswer wait(const GridWait& wait) {
    wait_ = wait;
    back_.give();
    go_.await();
    RuntimeLock::work_for(holder_);
    return answer_;
  }

 private:
  void serve() {
    this_device_thread = this;
    for (;;) {
      go_.await();
      RuntimeLock::work_for(holder_);
      try {
        work_();
      } catch (...) {
        error_ = std::current_exception();
      }
      work_ = nullptr;
      ended_ = true;
      RuntimeLock::work_for(nullptr);
      back_.give();
    }
  }

  Signal go_, back_;
  std::function<void()> work_;
  bool ended_ = true;
  std::exception_ptr error_;
  const void* holder_ = nullptr;
  WaitAnswer answer_ = WaitAnswer::look;
  GridWait wait_;
};

/// Work that waits on a device thread.
class SuspendedThread : public SuspendedWork {
 public:
  SuspendedThread(DeviceProgress& progress, DeviceThread& thread) : progress_(progress), thread_(thread) {}

  Step go_on(WaitAnswer answer) override {
    // After fork(), the child does not have the threads of its parent.
    if (progress_.process_ != ::getpid()) return Step::ended;
    if (progress_.run(thread_, answer)) return Step::ended;
    const GridWait& wait = thread_.waits();
    if (!wait.waiting) return Step::runs;
    return wait.in_vain ? Step::waits : Step::moved;
  }
  bool runs() const override { return !thread_.waits().waiting; }
  bool looks_at_host_memory() const override { return thread_.waits().host_memory; }

 private:
  DeviceProgress& progress_;
  DeviceThread& thread_;
};

DeviceProgress::DeviceProgress(Runtime& runtime) : runtime_(runtime), process_(::getpid()) {}
DeviceProgress::~DeviceProgress() = default;

bool DeviceProgress::can_wait() { return this_device_thread != nullptr; }

DeviceThread& DeviceProgress::idle_thread() {
  if (process_ != ::getpid()) {
    process_ = ::getpid();
    for (auto& thread : threads_) static_cast<void>(thread.release());
    threads_.clear();
    idle_.clear();
    has_background_ = false;
  }
  if (idle_.empty()) idle_.push_back(threads_.emplace_back(std::make_unique<DeviceThread>()).get());
  DeviceThread& thread = *idle_.back();
  idle_.pop_back();
  return thread;
}

void DeviceProgress::perform(std::function<void()> work) {
  if (can_wait()) return work();
  DeviceThread& thread = idle_thread();
  thread.begin([device = active_device(), work = std::move(work)] {
    const OnDevice there(device);
    work();
  });
  if (!run(thread, WaitAnswer::look)) runtime_.backlog.suspend(std::make_unique<SuspendedThread>(*this, thread));
}

bool DeviceProgress::run(DeviceThread& thread, WaitAnswer answer) {
  thread.run(answer);
  if (!thread.ended()) return false;
  idle_.push_back(&thread);
  thread.rethrow();
  return true;
}

WaitAnswer DeviceProgress::wait(const GridWait& wait) {
  if (runtime_.checker) runtime_.checker->host_goes_on();
  const unsigned opened = runtime_.managed.suspend();
  const bool in_graph = runtime_.timeline.is_in_graph(), depends = runtime_.timeline.depends_in_graph();
  runtime_.timeline.set_in_graph(false);
  std::shared_ptr<Checker::Suspended> checked;
  WorkOrder::InTree in_tree;
  if (runtime_.checker) {
    checked = runtime_.checker->suspend();
    in_tree = runtime_.order.exchange({});
  }
  const WaitAnswer answer = this_device_thread->wait(wait);
  runtime_.managed.reopen(opened);
  runtime_.timeline.set_in_graph(in_graph, depends);
  if (runtime_.checker) {
    runtime_.order.exchange(std::move(in_tree));
    runtime_.checker->go_on(*checked);
  }
  return answer;
}

WaitAnswer DeviceProgress::answer() const { return runtime_.has_failed() ? WaitAnswer::stop : WaitAnswer::look; }

void DeviceProgress::watch() {
  if (ended_) return;
  if (!has_background_) {
    has_background_ = true;
    start_thread([this] { run_in_background(); });
    std::atexit([] {
      if (Runtime* const runtime = Runtime::existing()) runtime->progress.end();
    });
  }
  {
    const std::lock_guard hold(mutex_);
    watched_ = true;
  }
  wake_.notify_one();
}

void DeviceProgress::run_in_background() {
  auto pause = kShortestPause;
  while (!ended_) {
    {
      std::unique_lock hold(mutex_);
      wake_.wait(hold, [this] { return watched_; });
    }
    std::this_thread::sleep_for(pause);
    const std::lock_guard guard(runtime_lock());
    if (ended_) return;
    bool moved = false;
    try {
      moved = runtime_.backlog.go_on_in_background();
    } catch (const std::exception& error) {
      complain_once(error.what());
    }
    pause = moved ? kShortestPause : std::min(2 * pause, kLongestPause);
    const std::lock_guard hold(mutex_);
    watched_ = runtime_.backlog.has_background_work();
  }
}

bool DeviceProgress::wait_for_host(Clock::time_point since) {
  const auto waited = Clock::now() - since;
  const std::size_t own = process_ == ::getpid() ? threads_.size() + (has_background_ ? 1 : 0) : 0;
  const std::size_t others = host().other_threads(own);
  if (others == 0) return false;
  if (waited >= std::chrono::seconds(runtime_.options.patience)) {
    complain(
        "the host has waited for " + std::to_string(runtime_.options.patience) +
        " s, and none of the program's other threads (" + std::to_string(others) +
        ") has written what the device waits for: that is taken for a deadlock. WARPBOOK_PATIENCE sets the seconds.");
    return false;
  }
  const std::uint32_t call = runtime_.timeline.call();
  const unsigned times = runtime_lock().release();
  const auto pause = std::chrono::duration_cast<std::chrono::microseconds>(waited / 8);
  host().pause(std::clamp<std::chrono::microseconds>(pause, kShortestPause, kLongestPause));
  runtime_lock().regain(times);
  runtime_.timeline.set_call(call);  // Other threads have made calls meanwhile.
  return true;
}

void DeviceProgress::end() {
  const std::lock_guard guard(runtime_lock());
  ended_ = true;
}

}  // namespace warpbook::simulator::runtime

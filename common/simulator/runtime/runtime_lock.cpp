// Counts how often the lock is held by its owner.
#include "common/simulator/runtime/runtime_lock.h"

#include <utility>

namespace warpbook::simulator::runtime {
namespace {

thread_local const void* worked_for = nullptr;
thread_local char this_thread = 0;

}  // namespace

const void* RuntimeLock::holder() { return worked_for != nullptr ? worked_for : &this_thread; }

void RuntimeLock::work_for(const void* holder) { worked_for = holder; }

void RuntimeLock::lock() {
  const void* const self = holder();
  // Only this thread stores or removes its own mark.
  if (held_by_.load(std::memory_order_relaxed) != self) {
    mutex_.lock();
    held_by_.store(self, std::memory_order_relaxed);
  }
  ++times_;
}

void RuntimeLock::unlock() {
  if (--times_ != 0) return;
  held_by_.store(nullptr, std::memory_order_relaxed);
  mutex_.unlock();
}

unsigned RuntimeLock::release() {
  if (held_by_.load(std::memory_order_relaxed) != holder()) return 0;
  const unsigned times = std::exchange(times_, 1);
  unlock();
  return times;
}

void RuntimeLock::regain(unsigned times) {
  if (times == 0) return;
  lock();
  times_ = times;
}

RuntimeLock& runtime_lock() {
  static auto* lock = new RuntimeLock;
  return *lock;
}

}  // namespace warpbook::simulator::runtime

// The lock that guards the runtime. It is recursive; a waiting thread can lend it to the thread that works for it, and
// a thread that waits for others can release it completely.
#pragma once

#include <atomic>
#include <mutex>

namespace warpbook::simulator::runtime {

class RuntimeLock {
 public:
  void lock();
  void unlock();

  /// Identity of an owner: a thread, shared by the threads that work for it while it waits for them.
  static const void* holder();
  /// From now on this thread works for @p holder, or for itself (nullptr).
  static void work_for(const void* holder);

  /// Releases the lock, however often this thread holds it. @returns the number of times
  unsigned release();
  /// Acquires it the same number of times again.
  void regain(unsigned times);

 private:
  std::mutex mutex_;
  std::atomic<const void*> held_by_ = nullptr;
  unsigned times_ = 0;
};

/// Guards the registry and the runtime: every API call holds it.
RuntimeLock& runtime_lock();

}  // namespace warpbook::simulator::runtime

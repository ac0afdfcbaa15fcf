// The lock that guards the runtime: recursive, lent by a thread that waits to the one that works for it, and let go
// altogether by a thread that waits for others.
#pragma once

#include <atomic>
#include <mutex>

namespace warpbook::simulator::runtime {

class RuntimeLock {
 public:
  void lock();
  void unlock();

  /// Who holds the lock: a thread, and threads that work for it while it waits for them.
  static const void* holder();
  /// From now on this thread works for @p holder, or for itself (nullptr).
  static void work_for(const void* holder);

  /// Lets go, however often this thread holds it. @returns how often that was
  unsigned release();
  /// Holds it as often again.
  void regain(unsigned times);

 private:
  std::mutex mutex_;
  std::atomic<const void*> held_by_ = nullptr;
  unsigned times_ = 0;
};

/// Guards the registry and the runtime: every call of the API holds it.
RuntimeLock& runtime_lock();

}  // namespace warpbook::simulator::runtime

// Work of a stream that has begun and cannot go on for now: it waits for what the host or other work writes.
#pragma once

#include <cstdint>

#include "common/simulator/machine/launch.h"

namespace warpbook::simulator::runtime {

class SuspendedWork {
 public:
  enum class Step : std::uint8_t {
    ended,
    moved,  ///< It has done something, and waits again.
    waits,  ///< It has found nothing new.
    runs,   ///< It gives way to others, and may be waiting.
  };

  SuspendedWork() = default;
  virtual ~SuspendedWork() = default;
  SuspendedWork(const SuspendedWork&) = delete;
  SuspendedWork& operator=(const SuspendedWork&) = delete;

  /// Goes on as far as it can. @param answer `endless`: nobody else will write anything. It ends, and so it does with
  /// `stop`, without a word
  virtual Step go_on(WaitAnswer answer) = 0;
  /// It may have been waiting for a long time already, but nobody knows.
  virtual bool runs() const { return false; }
  /// What it waits for may be in memory that the host's own code writes.
  virtual bool looks_at_host_memory() const = 0;
};

}  // namespace warpbook::simulator::runtime

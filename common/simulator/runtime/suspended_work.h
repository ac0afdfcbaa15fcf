// Work of a stream that has started and cannot continue for now: it waits for a value that the host or other work
// writes.
#pragma once

#include <cstdint>

#include "common/simulator/machine/launch.h"

namespace warpbook::simulator::runtime {

class SuspendedWork {
 public:
  enum class Step : std::uint8_t {
    ended,
    moved,  ///< It made progress and waits again.
    waits,  ///< It made no progress.
    runs,   ///< It yields to other work, and may be waiting.
  };

  SuspendedWork() = default;
  virtual ~SuspendedWork() = default;
  SuspendedWork(const SuspendedWork&) = delete;
  SuspendedWork& operator=(const SuspendedWork&) = delete;

  /// Continues as far as possible. @param answer `endless`: no other work will write the value. The work then ends with
  /// a message; with `stop` it ends without one
  virtual Step go_on(WaitAnswer answer) = 0;
  /// It may have been waiting for a long time; that cannot be known.
  virtual bool runs() const { return false; }
  /// The value that it waits for may be in memory that host code writes.
  virtual bool looks_at_host_memory() const = 0;
};

}  // namespace warpbook::simulator::runtime

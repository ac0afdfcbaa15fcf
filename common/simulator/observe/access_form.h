// How an instruction accesses memory, as far as ordering is concerned.
#pragma once

#include <cstdint>

namespace warpbook::simulator {

struct AccessForm {
  enum class Kind : std::uint8_t { read, write, atomic };
  Kind kind = Kind::read;
  bool strong = false;       ///< Atomic, volatile, relaxed, ...: does not race with other strong accesses.
  bool block_scope = false;  ///< Strong within the block only (scope .cta).
  bool answers = false;  ///< An atomic that returns the old value: it is ordered after the accesses to its address that
                         ///< it follows.
  std::uint32_t bytes = 4;  ///< Per lane.
  std::uint32_t site = 0;   ///< RaceDetector::new_site()
};

/// How a strong access synchronises threads: it publishes what was fenced before it, or, with acquire and release, what
/// was done before it.
struct HandOver {
  bool reads = false, writes = false, exchanges = false;
  bool acquires = false, releases = false;
  bool wide = false;    ///< Beyond the block.
  bool system = false;  ///< Beyond the device: at system scope.
  /// A read acquires `met` instead of what the word has released so far. At a grid barrier, a block that is late at the
  /// next barrier would otherwise acquire what others have released for that one.
  bool of_last_meeting = false;
  std::uint32_t met = 0;  ///< Knowledge::Map
};

}  // namespace warpbook::simulator

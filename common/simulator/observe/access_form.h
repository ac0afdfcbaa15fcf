// How an instruction accesses memory, as far as the order of threads is concerned.
#pragma once

#include <cstdint>

namespace warpbook::simulator {

struct AccessForm {
  enum class Kind : std::uint8_t { read, write, atomic };
  Kind kind = Kind::read;
  bool strong = false;       ///< Atomic, volatile, relaxed, ...: does not race with its like.
  bool block_scope = false;  ///< Strong within the block only.
  bool answers = false;      ///< An atomic that gets what was there: it is behind all that it follows at its place.
  std::uint32_t bytes = 4;   ///< Of each lane.
  std::uint32_t site = 0;    ///< RaceDetector::new_site()
};

/// What a strong access hands on from thread to thread: what was fenced before it, or with acquires and releases what
/// was done before it.
struct HandOver {
  bool reads = false, writes = false, exchanges = false;
  bool acquires = false, releases = false;
  bool wide = false;  ///< Beyond the block.
  /// A read brings `met` and not what the word has released by now: where blocks of a grid meet, who comes late to the
  /// next meeting reads what others have released for it.
  bool of_last_meeting = false;
  std::uint32_t met = 0;  ///< Knowledge::Map
};

}  // namespace warpbook::simulator

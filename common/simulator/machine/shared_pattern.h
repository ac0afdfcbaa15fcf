// How the lanes of one access to shared memory lie, kept where their addresses are the same in every block.
//
// Most addresses in shared memory follow from the thread's place in its block, so they are launch constants
// (kernel/launch_constants.h). What such an access moves and counts is worked out once for each warp and for the lanes
// that execute it; from then on it is a copy and one addition to the counters.
#pragma once

#include <cstddef>
#include <cstdint>

#include "common/simulator/observe/counters.h"

namespace warpbook::simulator {

struct alignas(64) SharedPattern {
  enum class Shape : std::uint8_t {
    row,         ///< All lanes, one behind the other.
    place,       ///< All lanes at one place.
    stride,      ///< All lanes at one distance from each other.
    two_rows,    ///< Words of each half-warp in a row,
    two_places,  ///< or at one place.
    run,         ///< Neighbouring lanes, fewer than a warp, at one distance.
    scattered,
  };
  /// What one execution adds to the first counters of MemoryCounters.
  std::uint64_t step[MemoryCounters::kOfShared] = {};
  std::uint32_t lanes = 0;  ///< For which it holds; 0: for none.
  Shape shape = Shape::scattered;
  std::uint32_t first = 0, second = 0;  ///< Bytes from the start of shared memory: of the first lane, of lane 16.
  std::int32_t stride = 0;
  std::uint32_t found = 0;  ///< Times that it was worked out: where lanes keep changing, it is given up.
};

}  // namespace warpbook::simulator

// The lane pattern of one access to shared memory, kept if its addresses are the same in every block.
//
// Most addresses in shared memory follow from the thread's place in its block, so they are launch constants
// (kernel/launch_constants.h). What such an access moves and counts is computed once for each warp, for the lanes that
// execute it; from then on it is a copy and one addition to the counters.
#pragma once

#include <cstddef>
#include <cstdint>

#include "common/simulator/observe/counters.h"

namespace warpbook::simulator {

struct alignas(64) SharedPattern {
  enum class Shape : std::uint8_t {
    row,         ///< All lanes, consecutive.
    place,       ///< All lanes at one address.
    stride,      ///< All lanes with one stride.
    two_rows,    ///< The words of each half-warp are consecutive,
    two_places,  ///< or at one address.
    run,         ///< Adjacent lanes, fewer than a warp, with one stride.
    scattered,
  };
  /// What one execution adds to the first counters of MemoryCounters.
  std::uint64_t step[MemoryCounters::kOfShared] = {};
  std::uint32_t lanes = 0;  ///< The lanes for which it holds; 0: none.
  Shape shape = Shape::scattered;
  std::uint32_t first = 0, second = 0;  ///< Offsets in shared memory of the first lane and of lane 16.
  std::int32_t stride = 0;
  std::uint32_t found = 0;  ///< How often it was computed; given up if the lanes keep changing.
};

}  // namespace warpbook::simulator

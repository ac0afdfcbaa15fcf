// How often atomics that are loops of compare and swap (of floats and of 64 bits) changed each word of a block's shared
// memory: one after the other on hardware, whichever warps they come from.
#pragma once

#include <cstdint>
#include <vector>

namespace warpbook::simulator {

class SharedSwaps {
 public:
  /// A warp's lanes have each changed one word. @param offsets in shared memory
  void note(const std::uint32_t* offsets, unsigned lanes);
  /// The block has ended. @returns the most changes of one word
  std::uint32_t finish();

 private:
  std::vector<std::uint32_t> counts_;  ///< By word; empty until something is counted.
  std::uint32_t most_ = 0;
};

}  // namespace warpbook::simulator

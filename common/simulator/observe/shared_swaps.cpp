// Counts by word.
#include "common/simulator/observe/shared_swaps.h"

#include <algorithm>
#include <utility>

namespace warpbook::simulator {

void SharedSwaps::note(const std::uint32_t* offsets, unsigned lanes) {
  for (unsigned k = 0; k < lanes; ++k) {
    const std::size_t word = offsets[k] / 4;
    if (counts_.size() <= word) counts_.resize(word + 1);
    most_ = std::max(most_, ++counts_[word]);
  }
}

std::uint32_t SharedSwaps::finish() {
  if (most_ != 0) std::fill(counts_.begin(), counts_.end(), 0u);
  return std::exchange(most_, 0u);
}

}  // namespace warpbook::simulator

// Sizes and empties the L1 of a block.
#include "common/simulator/observe/l1_cache.h"

#include <bit>

namespace warpbook::simulator {

void L1Cache::resize(std::uint64_t bytes) {
  const std::uint64_t sets = bytes / (kWays * 128);
  storage_.clear();
  epoch_ = 0;
  if (sets == 0) {
    sets_ = nullptr;
    return;
  }
  const std::uint64_t rounded = std::bit_floor(sets);
  storage_.resize(rounded);
  sets_ = storage_.data();
  mask_ = rounded - 1;
}

void L1Cache::clear() {
  if (++epoch_ != 0) return;
  for (Set& set : storage_) set = Set{};
}

}  // namespace warpbook::simulator

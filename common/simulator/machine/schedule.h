// The order of blocks and warps: the documented one, or another for each seed, to shake out races.
#pragma once

#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace warpbook::simulator {

/// splitmix64 (Steele, Lea and Flood, OOPSLA 2014): the next number of a sequence that @p state remembers.
inline std::uint64_t next_random(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/// Which block starts i-th: i itself for seed 0, else a step through all blocks with a stride that meets each once.
class BlockOrder {
 public:
  BlockOrder(std::uint64_t blocks, std::uint64_t seed) : blocks_(blocks) {
    if (seed == 0 || blocks < 2) return;
    std::uint64_t state = seed;
    first_ = next_random(state) % blocks;
    do stride_ = 1 + next_random(state) % (blocks - 1);
    while (std::gcd(stride_, blocks) != 1);
  }
  std::uint64_t operator()(std::uint64_t i) const {
    return static_cast<std::uint64_t>((static_cast<unsigned __int128>(i) * stride_ + first_) % blocks_);
  }

 private:
  std::uint64_t blocks_ = 1, first_ = 0, stride_ = 1;
};

/// Puts @p order into an order drawn from @p state (Fisher and Yates).
inline void shuffle(std::vector<std::uint32_t>& order, std::uint64_t& state) {
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[next_random(state) % i]);
}

}  // namespace warpbook::simulator

// The order of blocks, warps and lanes: the documented one, or another one for each seed, to expose races. Every order
// that a seed selects is one that CUDA allows: a program that is correct without races is correct in all of them.
#pragma once

#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace warpbook::simulator {

/// splitmix64 (Steele, Lea and Flood, OOPSLA 2014): the next number of the sequence with state @p state.
inline std::uint64_t next_random(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/// What a seed changes besides the order in which blocks start and warps take turns. The first two slow a grid down and
/// change the counters.
struct Schedule {
  explicit constexpr Schedule(std::uint64_t seed)
      : turns((seed & 1) != 0), parts((seed & 2) != 0), late((seed & 4) != 0) {}
  /// Warps and blocks take turns after a few operations, even in the middle of a basic block: another block may store
  /// between the load and the store of a sum.
  bool turns;
  /// The lanes of each warp start on two paths, which join only where an instruction waits for lanes: since Volta
  /// nothing else guarantees that lanes run in lockstep.
  bool parts;
  /// Work that the host submits to streams is executed when the host waits for it, the newest first
  /// (runtime/backlog.h).
  bool late;
};

/// Which block starts i-th: block i for seed 0, else a walk with a stride that visits each block once.
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

/// Shuffles @p order with random numbers from @p state (Fisher and Yates).
inline void shuffle(std::vector<std::uint32_t>& order, std::uint64_t& state) {
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[next_random(state) % i]);
}

}  // namespace warpbook::simulator

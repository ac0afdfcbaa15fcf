// Which blocks of a grid a worker runs next, if several workers run at once.
//
// Each worker takes the next blocks that no other has taken, so a worker that ends up alone runs all of them in order.
// This is necessary: conflicts between blocks are detected only between workers (observe/footprint.h).
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace warpbook::simulator {

class BlockShares {
 public:
  /// Blocks [begin, end).
  struct Range {
    std::uint64_t begin = 0, end = 0;
    std::uint64_t size() const { return end - begin; }
  };

  /// @param chunk largest number of blocks taken at once
  BlockShares(std::uint64_t blocks, std::uint64_t chunk) : blocks_(blocks), chunk_(chunk) {}

  /// The next blocks; none if all are taken. Thread safe.
  Range take() {
    const std::uint64_t begin = std::min(blocks_, next_.fetch_add(chunk_, std::memory_order_relaxed));
    return {begin, std::min(blocks_, begin + chunk_)};
  }

 private:
  const std::uint64_t blocks_, chunk_;
  std::atomic<std::uint64_t> next_{0};
};

}  // namespace warpbook::simulator

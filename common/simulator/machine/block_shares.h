// Which blocks of a grid a worker runs next, where several run at once.
//
// Each worker begins with a share of its own, one stretch of neighbouring blocks: what neighbours write lies close
// together, and two workers that write to the same pages wait for each other (undo_log.h). Who has done its share takes
// half of what the slowest has left.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace warpbook::simulator {

class BlockShares {
 public:
  /// Blocks [begin, end).
  struct Range {
    std::uint64_t begin = 0, end = 0;
    std::uint64_t size() const { return end - begin; }
  };

  /// @param chunk most blocks that are taken at once; shares are whole chunks
  BlockShares(std::uint64_t blocks, std::size_t workers, std::uint64_t chunk) : chunk_(chunk), left_(workers) {
    const std::uint64_t chunks = (blocks + chunk - 1) / chunk;
    for (std::size_t i = 0; i < workers; ++i) {
      const auto bound = [&](std::size_t k) { return std::min(blocks, chunks * k / workers * chunk); };
      left_[i] = {bound(i), bound(i + 1)};
    }
  }

  /// The next blocks for @p worker; none if all are taken. Any worker may ask at any time.
  Range take(std::size_t worker) {
    const std::scoped_lock lock(mutex_);
    Range& own = left_[worker];
    if (own.size() == 0) own = half_of_most();
    const Range taken{own.begin, std::min(own.end, own.begin + chunk_)};
    own.begin = taken.end;
    return taken;
  }

 private:
  Range half_of_most() {
    Range& most = *std::max_element(left_.begin(), left_.end(),
                                    [](const Range& a, const Range& b) { return a.size() < b.size(); });
    const std::uint64_t kept = most.size() / chunk_ / 2 * chunk_;
    const Range half{most.begin + kept, most.end};
    most.end = half.begin;
    return half;
  }

  const std::uint64_t chunk_;
  std::mutex mutex_;
  std::vector<Range> left_;
};

}  // namespace warpbook::simulator

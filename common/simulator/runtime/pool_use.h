// How much memory a pool has reserved on its device, and how much of that is in use: the counters of
// cudaMemPoolGetAttribute.
//
// A pool reserves chunks for all that it holds. At the next synchronisation it releases free chunks above its release
// threshold, as an H200 did step by step (2026-11-24, runtime/tests/pool_numbers.cu). Here allocations are separate, so
// only the numbers are kept.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>

namespace warpbook::simulator::runtime {

class PoolUse {
 public:
  static constexpr std::uint64_t kChunk = std::uint64_t{32} << 20;

  struct Level {
    std::uint64_t current = 0, high = 0;
    void set(std::uint64_t value) {
      current = value;
      high = std::max(high, value);
    }
  };

  /// @param most the pool's maximum size; 0: no limit
  bool fits(std::uint64_t bytes, std::uint64_t most) const { return most == 0 || taken_with(bytes) <= chunks(most); }
  void take(std::uint64_t address, std::uint64_t bytes) {
    reserved.set(taken_with(bytes));
    used.set(used.current + bytes);
    busy_ = std::max(busy_, used.current);
    pieces_[address] = bytes;
  }
  /// The memory may be in use by its stream until settle().
  void give(std::uint64_t address) {
    const auto found = pieces_.find(address);
    if (found == pieces_.end()) return;
    used.current -= found->second;
    pieces_.erase(found);
  }
  /// Called at a synchronisation. @param kept the release threshold
  void settle(std::uint64_t kept) {
    busy_ = used.current;
    release(kept);
  }
  /// Releases chunks that are not in use until @p kept bytes are left.
  void release(std::uint64_t kept) { reserved.current = std::min(reserved.current, chunks(std::max(kept, busy_))); }

  Level used, reserved;

 private:
  /// The size of the chunks that hold @p bytes, in bytes.
  static std::uint64_t chunks(std::uint64_t bytes) {
    return bytes > ~std::uint64_t{0} - kChunk ? ~std::uint64_t{0} : (bytes + kChunk - 1) / kChunk * kChunk;
  }

  std::uint64_t taken_with(std::uint64_t bytes) const {
    return std::max(reserved.current, chunks(bytes > ~used.current ? ~std::uint64_t{0} : used.current + bytes));
  }

  std::uint64_t busy_ = 0;                         ///< The most bytes in use at once since the last synchronisation.
  std::map<std::uint64_t, std::uint64_t> pieces_;  ///< Bytes by address.
};

}  // namespace warpbook::simulator::runtime

// How much memory a pool has taken from its device, and how much of that is in use: what cudaMemPoolGetAttribute says.
//
// A pool takes chunks for what it holds in all, and gives those that are free back at the next synchronisation, but for
// its release threshold: as an H200 answered step by step (2026-11-24, runtime/tests/pool_numbers.cu). Here pieces are
// allocated one by one, so only the numbers are kept.
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

  /// @param most that the pool may take; 0: as much as there is
  bool fits(std::uint64_t bytes, std::uint64_t most) const { return most == 0 || taken_with(bytes) <= chunks(most); }
  void take(std::uint64_t address, std::uint64_t bytes) {
    reserved.set(taken_with(bytes));
    used.set(used.current + bytes);
    busy_ = std::max(busy_, used.current);
    pieces_[address] = bytes;
  }
  /// The piece may be in use by its stream until settle().
  void give(std::uint64_t address) {
    const auto found = pieces_.find(address);
    if (found == pieces_.end()) return;
    used.current -= found->second;
    pieces_.erase(found);
  }
  /// A synchronisation. @param kept the release threshold
  void settle(std::uint64_t kept) {
    busy_ = used.current;
    release(kept);
  }
  /// Chunks that are not in use go back, until @p kept bytes are left.
  void release(std::uint64_t kept) { reserved.current = std::min(reserved.current, chunks(std::max(kept, busy_))); }

  Level used, reserved;

 private:
  /// The chunks that hold @p bytes, in bytes.
  static std::uint64_t chunks(std::uint64_t bytes) {
    return bytes > ~std::uint64_t{0} - kChunk ? ~std::uint64_t{0} : (bytes + kChunk - 1) / kChunk * kChunk;
  }

  std::uint64_t taken_with(std::uint64_t bytes) const {
    return std::max(reserved.current, chunks(bytes > ~used.current ? ~std::uint64_t{0} : used.current + bytes));
  }

  std::uint64_t busy_ = 0;                         ///< What was in use at once since the last synchronisation.
  std::map<std::uint64_t, std::uint64_t> pieces_;  ///< Bytes by address.
};

}  // namespace warpbook::simulator::runtime

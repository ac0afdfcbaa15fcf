// How much memory a pool has taken from its device, and how much of that is in use: what cudaMemPoolGetAttribute says.
//
// A pool takes chunks and keeps those that are free up to its release threshold. Here pieces are allocated one by one,
// so only the numbers are kept; chunks go back when a piece is freed, on hardware at the next synchronisation.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>

namespace warpbook::simulator::runtime {

class PoolUse {
 public:
  static constexpr std::uint64_t kChunk = std::uint64_t{32}
                                          << 20;  ///< As CUDA's drivers take them; not asked of an H200.

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
    pieces_[address] = bytes;
  }
  /// @param kept the release threshold
  void give(std::uint64_t address, std::uint64_t kept) {
    const auto found = pieces_.find(address);
    if (found == pieces_.end()) return;
    used.current -= found->second;
    pieces_.erase(found);
    release(kept);
  }
  /// Chunks that are not in use go back, until @p kept bytes are left.
  void release(std::uint64_t kept) {
    reserved.current = std::min(reserved.current, chunks(std::max(kept, used.current)));
  }

  Level used, reserved;

 private:
  /// The chunks that hold @p bytes, in bytes.
  static std::uint64_t chunks(std::uint64_t bytes) {
    return bytes > ~std::uint64_t{0} - kChunk ? ~std::uint64_t{0} : (bytes + kChunk - 1) / kChunk * kChunk;
  }

  std::uint64_t taken_with(std::uint64_t bytes) const {
    return reserved.current + (bytes <= reserved.current - used.current ? 0 : chunks(bytes));
  }

  std::map<std::uint64_t, std::uint64_t> pieces_;  ///< Bytes by address.
};

}  // namespace warpbook::simulator::runtime

// Which bytes of constant memory the running grid has read.
//
// Many warps read the same constants again and again, and only the host's work writes them: to order a grid with that
// work, the first read of each byte suffices.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>

namespace warpbook::simulator {

class ConstantReads {
 public:
  /// Adds a read by the grid with this first serial number. Another grid than before starts with nothing.
  /// @param bytes a power of two up to 64, to which @p address is aligned
  /// @returns whether some of the bytes are new
  bool add(std::uint32_t grid, std::uint64_t address, std::uint32_t bytes) {
    if (grid != grid_ || address / kChunkBytes != number_) [[unlikely]]
      select(grid, address / kChunkBytes);
    const std::uint64_t bits = ((std::uint64_t{2} << (bytes - 1)) - 1) << (address % 64);
    std::uint64_t& read = (*chunk_)[address % kChunkBytes / 64];
    const bool is_new = (bits & ~read) != 0;
    read |= bits;
    return is_new;
  }

 private:
  static constexpr std::uint64_t kChunkBytes = 4096;
  using Chunk = std::array<std::uint64_t, kChunkBytes / 64>;
  void select(std::uint32_t grid, std::uint64_t number) {
    if (grid != grid_) chunks_.clear();
    grid_ = grid;
    number_ = number;
    chunk_ = &chunks_[number];
  }

  std::uint32_t grid_ = 0;
  std::uint64_t number_ = 0;
  Chunk* chunk_ = nullptr;
  std::unordered_map<std::uint64_t, Chunk> chunks_;
};

}  // namespace warpbook::simulator

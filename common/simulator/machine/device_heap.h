// The device heap: what malloc and free in kernels manage, inside one allocation of global memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <utility>
#include <vector>

namespace warpbook::simulator {

/// What kernels asked of the heap so far, in bytes as they asked for them.
struct HeapUse {
  std::uint64_t allocations = 0, bytes = 0;  ///< Those that got memory.
  std::uint64_t refused = 0;                 ///< Those that got NULL although they asked for something.
  std::uint64_t live_bytes = 0, peak_bytes = 0;
};

/// What malloc gave out: its address, its size as it was asked for, and who asked (DeviceHeap::set_owner).
struct HeapPiece {
  std::uint64_t address = 0, bytes = 0;
  std::uint32_t owner = 0;
};

/// Bytes that no thread may write were written: those around a piece, or a piece that was freed.
struct HeapDamage {
  enum class Kind : std::uint8_t { before_start, past_end, after_free };
  Kind kind = Kind::past_end;
  HeapPiece piece;
  std::uint64_t address = 0;  ///< The written byte that is nearest to the piece; the first one if it was freed.
};

/// First fit over free ranges in address order. Kernels that use it run in block order, so it needs no lock.
class DeviceHeap {
 public:
  /// @param address start of the heap, 16-byte aligned @param bytes its size (cudaLimitMallocHeapSize)
  DeviceHeap(std::uint64_t address, std::uint64_t bytes) : begin_(address) { free_[address] = bytes; }

  /// Surrounds each piece by bytes that nobody may write, and keeps those that are freed aside for a while. To be
  /// called before anything is given out. @param bytes where the heap's first byte is for this process
  void guard(std::byte* bytes) { bytes_ = bytes; }
  /// Whose the pieces are that are given out from now on.
  void set_owner(std::uint32_t owner) { owner_ = owner; }

  /// @returns a 16-byte aligned address, or 0 if nothing large enough is free or @p bytes is 0
  std::uint64_t allocate(std::uint64_t bytes);
  /// Freeing 0 does nothing. @returns false if @p address was not allocated.
  bool free(std::uint64_t address);
  /// Bytes that were asked for at @p address; 0 if it is not allocated.
  std::uint64_t size_at(std::uint64_t address) const;
  const HeapUse& use() const { return use_; }
  /// All that is given out now, in address order.
  std::vector<HeapPiece> given_out() const;

  /// What was damaged since the last call. Nothing without guard().
  std::vector<HeapDamage> take_damage();

 private:
  struct Block {
    std::uint64_t size = 0, asked = 0;  ///< Of the whole range, guards included; of the piece.
    std::uint32_t owner = 0;
  };
  using Place = std::pair<const std::uint64_t, Block>;

  std::byte* at(std::uint64_t address) const { return bytes_ + (address - begin_); }
  std::uint64_t front() const;               ///< Bytes of guard before a piece.
  std::uint64_t take(std::uint64_t needed);  ///< @returns the start of a range, or 0
  void give_back(std::uint64_t range, std::uint64_t size);
  void watch(std::uint64_t address, const Block& block);
  void check(std::uint64_t address, const Block& block);
  void check_freed(const Place& place);
  void release_freed(std::uint64_t most);

  std::uint64_t begin_;
  std::byte* bytes_ = nullptr;  ///< Nothing is guarded without it.
  std::uint32_t owner_ = 0;
  std::map<std::uint64_t, std::uint64_t> free_;  ///< Address to size.
  std::map<std::uint64_t, Block> used_;          ///< By the address of the piece.
  std::deque<Place> freed_;                      ///< Kept aside, the oldest first.
  std::uint64_t freed_bytes_ = 0;
  std::vector<HeapDamage> damage_;
  HeapUse use_;
};

}  // namespace warpbook::simulator

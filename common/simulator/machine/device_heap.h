// The device heap: the memory of malloc and free in kernels, inside one allocation of global memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/simulator/observe/findings.h"

namespace warpbook::simulator {

class GlobalMemory;

/// What kernels have requested from the heap so far, in bytes as requested.
struct HeapUse {
  std::uint64_t allocations = 0, bytes = 0;  ///< Requests that got memory.
  std::uint64_t refused = 0;                 ///< Nonzero requests that got NULL.
  std::uint64_t live_bytes = 0, peak_bytes = 0;
};

/// A thread's call of malloc or free.
struct HeapCall {
  std::uint32_t source = 0;  ///< DeviceHeap::number_of(); 0: unknown.
  std::array<std::uint32_t, 3> block = {0, 0, 0}, thread = {0, 0, 0};
};

/// A piece that malloc returned: its address, its requested size, and the caller.
struct HeapPiece {
  std::uint64_t address = 0, bytes = 0;
  HeapCall made, freed;
  bool is_freed = false;
};

/// First fit over free ranges in address order. Kernels that use it run in block order, so it needs no lock.
class DeviceHeap {
 public:
  /// @param address start of the heap, 16-byte aligned @param bytes its size (cudaLimitMallocHeapSize)
  DeviceHeap(std::uint64_t address, std::uint64_t bytes) : begin_(address), end_(address + bytes) {
    free_[address] = bytes;
  }

  /// Makes each piece an allocation of its own, apart from the others, and quarantines freed pieces for a while. Call
  /// it before anything is allocated. @param memory contains the heap as one allocation; it outlives the heap
  void guard(GlobalMemory& memory);
  /// From now on callers are recorded.
  void follow_calls() { follows_calls_ = true; }
  bool follows_calls() const { return follows_calls_; }
  /// The number of a place in a program that calls malloc or free.
  /// @param key identifies the place, until forget_keys()
  /// @param make_site returns the place; called once
  template <class MakeSite>
  std::uint32_t number_of(const void* key, MakeSite make_site) {
    const auto [place, fresh] = numbers_.try_emplace(key, 0);
    if (fresh) place->second = number_of(make_site());
    return place->second;
  }
  /// Programs may have been unloaded.
  void forget_keys() { numbers_.clear(); }
  /// Where a call was made and by which thread; its role is not filled in.
  CheckSite site_of(const HeapCall& call) const;

  /// @returns a 16-byte aligned address, or 0 if nothing large enough is free or @p bytes is 0
  std::uint64_t allocate(std::uint64_t bytes, const HeapCall& call = {});
  /// Freeing 0 does nothing. @returns false if @p address was not allocated.
  bool free(std::uint64_t address, const HeapCall& call = {});
  /// Requested size of the piece at @p address; 0 if none is allocated there.
  std::uint64_t size_at(std::uint64_t address) const;
  const HeapUse& use() const { return use_; }
  /// All allocated pieces, in address order.
  std::vector<HeapPiece> given_out() const;

  /// The piece that contains @p address or is next to it, allocated or quarantined. Nothing without guard() or outside
  /// the heap.
  std::optional<HeapPiece> piece_near(std::uint64_t address) const;

 private:
  struct Block {
    std::uint64_t size = 0, asked = 0;  ///< Size of the whole range including guards, and requested size of the piece.
    HeapCall made, freed;
  };
  using Place = std::pair<const std::uint64_t, Block>;

  std::uint32_t number_of(CheckSite site);
  std::uint64_t front() const;               ///< Bytes of guard before a piece.
  std::uint64_t take(std::uint64_t needed);  ///< @returns the start of a range, or 0
  void give_back(std::uint64_t range, std::uint64_t size);
  void release_freed(std::uint64_t most);

  std::uint64_t begin_, end_;
  GlobalMemory* memory_ = nullptr;  ///< Nothing is guarded without it.
  bool follows_calls_ = false;
  std::map<const void*, std::uint32_t> numbers_;
  std::vector<CheckSite> sources_ = std::vector<CheckSite>(1);
  std::map<std::uint64_t, std::uint64_t> free_;  ///< Address to size.
  std::map<std::uint64_t, Block> used_;          ///< By the address of the piece.
  std::deque<Place> freed_;                      ///< Quarantined, the oldest first.
  std::uint64_t freed_bytes_ = 0;
  HeapUse use_;
};

}  // namespace warpbook::simulator

// The device heap: what malloc and free in kernels manage, inside one allocation of global memory.
#pragma once

#include <cstdint>
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

/// First fit over free ranges in address order. Kernels that use it run in block order, so it needs no lock.
class DeviceHeap {
 public:
  /// @param address start of the heap, 16-byte aligned @param bytes its size (cudaLimitMallocHeapSize)
  DeviceHeap(std::uint64_t address, std::uint64_t bytes) { free_[address] = bytes; }

  /// @returns a 16-byte aligned address, or 0 if nothing large enough is free or @p bytes is 0
  std::uint64_t allocate(std::uint64_t bytes);
  /// Freeing 0 does nothing. @returns false if @p address was not allocated.
  bool free(std::uint64_t address);
  /// Bytes that were asked for at @p address; 0 if it is not allocated.
  std::uint64_t size_at(std::uint64_t address) const;
  const HeapUse& use() const { return use_; }
  /// Address and size, as it was asked for, of all that is given out now, in address order.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> given_out() const;

 private:
  struct Block {
    std::uint64_t size = 0, asked = 0;
  };
  std::map<std::uint64_t, std::uint64_t> free_;  ///< Address to size.
  std::map<std::uint64_t, Block> used_;
  HeapUse use_;
};

}  // namespace warpbook::simulator

// The device heap: what malloc and free in kernels manage, inside one allocation of global memory.
#pragma once

#include <cstdint>
#include <map>

namespace warpbook::simulator {

/// First fit over free ranges in address order. Kernels that use it run in block order, so it needs no lock.
class DeviceHeap {
 public:
  /// @param address start of the heap, 16-byte aligned @param bytes its size (cudaLimitMallocHeapSize)
  DeviceHeap(std::uint64_t address, std::uint64_t bytes) { free_[address] = bytes; }

  /// @returns a 16-byte aligned address, or 0 if nothing large enough is free or @p bytes is 0
  std::uint64_t allocate(std::uint64_t bytes);
  /// Freeing 0 does nothing. @returns false if @p address was not allocated.
  bool free(std::uint64_t address);

 private:
  std::map<std::uint64_t, std::uint64_t> free_, used_;  ///< Address to size.
};

}  // namespace warpbook::simulator

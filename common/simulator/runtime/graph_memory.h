// Memory that graphs allocate: its address is known when the node is made, but memory is only mapped when the node
// runs.
#pragma once

#include <cstdint>
#include <map>

#include "common/simulator/runtime/cuda_api.h"

namespace warpbook::simulator::runtime {

class Runtime;

class GraphMemory {
 public:
  explicit GraphMemory(Runtime& runtime) : runtime_(runtime) {}

  /// Finds an address for @p bytes. 0 if there is none.
  std::uint64_t reserve(std::uint64_t bytes);
  bool owns(std::uint64_t address) const { return pieces_.count(address) != 0; }
  /// A node has allocated it and nothing has freed it since.
  bool is_live(std::uint64_t address) const;
  cudaError_t allocate(std::uint64_t address);
  cudaError_t free(std::uint64_t address);

  /// Bytes that an H200 reports as used, and as reserved: all memory allocated for graphs, including that of freed
  /// nodes.
  std::uint64_t held() const { return held_; }
  std::uint64_t used_high = 0, reserved_high = 0;
  /// cudaDeviceGraphMemTrim: frees what no node needs.
  void trim();
  void clear();

 private:
  struct Piece {
    std::uint64_t bytes = 0;
    bool live = false;
  };
  Runtime& runtime_;
  std::map<std::uint64_t, Piece> pieces_;
  std::uint64_t live_ = 0, held_ = 0;
};

}  // namespace warpbook::simulator::runtime

// What the host has stored to memory that it shares with the device: managed and pinned memory.
//
// Stores by the host's own code cannot be observed. So such memory is filled with a pattern when it is allocated, a
// different value for each 8-byte word: a word that differs from it later has been stored to, at least in part.
#pragma once

#include <cstdint>
#include <map>

#include "common/simulator/machine/global_memory.h"
#include "common/simulator/observe/undefined_bits.h"

namespace warpbook::simulator {

class HostStores {
 public:
  /// Most memory tracked at one time; the rest counts as stored.
  static constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 20;

  explicit HostStores(const GlobalMemory& memory) : memory_(memory) {}

  /// Fills new memory. @returns false if it is not tracked
  bool follow(const Allocation& allocation);
  void forget(std::uint64_t address);
  /// Memory that has been stored to since is no longer undefined. The memory must be accessible.
  void find(UndefinedPages& undefined);

 private:
  const GlobalMemory& memory_;
  std::map<std::uint64_t, std::uint64_t> followed_;  ///< Size by address, of memory that is partly undefined.
  std::uint64_t bytes_ = 0;
};

}  // namespace warpbook::simulator

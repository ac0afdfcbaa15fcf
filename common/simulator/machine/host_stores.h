// What the host has stored in memory that it shares with the device: managed and pinned memory.
//
// Nobody sees the host's own code store. So such memory is filled with a pattern when it is allocated, another one for
// each word of 8 bytes: a word that differs from it later has been stored to, if only in part.
#pragma once

#include <cstdint>
#include <map>

#include "common/simulator/machine/global_memory.h"
#include "common/simulator/observe/undefined_bits.h"

namespace warpbook::simulator {

class HostStores {
 public:
  /// Memory that is followed at one time; what is beyond counts as stored.
  static constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 20;

  explicit HostStores(const GlobalMemory& memory) : memory_(memory) {}

  /// Fills new memory. @returns false if it is not followed
  bool follow(const Allocation& allocation);
  void forget(std::uint64_t address);
  /// What has been stored since is undefined no more. The memory must be accessible.
  void find(UndefinedPages& undefined);

 private:
  const GlobalMemory& memory_;
  std::map<std::uint64_t, std::uint64_t> followed_;  ///< Bytes by address: of those of which a part is undefined.
  std::uint64_t bytes_ = 0;
};

}  // namespace warpbook::simulator

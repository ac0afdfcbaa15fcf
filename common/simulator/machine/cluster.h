// A cluster: blocks of a grid that run together, have a barrier of their own and access each other's shared memory.
//
// A block is identified in its cluster by its rank. An address of another block's shared memory (mapa) is the offset
// there plus the rank in the upper bits: (rank + kFirstRank) << 24. Added to the window of shared memory this gives a
// generic address after the windows of local memory and parameters, so cvta works in both directions as for the block's
// own memory.
#pragma once

#include <cstdint>
#include <vector>

#include "common/simulator/machine/address_space.h"
#include "common/simulator/machine/launch.h"
#include "common/simulator/machine/worker.h"

namespace warpbook::simulator {

struct BlockState;
struct WarpState;

/// The largest cluster that compute capability 9.0 accepts (above 8 blocks the kernel must allow it).
constexpr std::uint32_t kMostBlocksOfCluster = kMostRanks;
constexpr std::uint32_t kMostPortableBlocksOfCluster = 8;

/// The blocks that run together, by rank; nullptr for those that have ended.
struct Cluster {
  std::vector<BlockState*> blocks;
  bool uses_barrier = false;  ///< A thread has arrived at the cluster barrier.

  /// Threads have arrived at the cluster barrier, or exited: if none is missing, the waiting threads continue.
  void check_barrier();
};

inline std::uint32_t rank_in_cluster(const Block& block, const Launch& launch) {
  const Dim3& extent = launch.cluster;
  return block.index[0] % extent.x + extent.x * (block.index[1] % extent.y + extent.y * (block.index[2] % extent.z));
}

/// Linear index in the grid of block @p rank of cluster @p number; clusters are counted like blocks.
std::uint64_t block_of_cluster(const Launch& launch, std::uint64_t number, std::uint32_t rank);

/// An offset in the shared memory of a block of the cluster.
struct SharedPlace {
  BlockState* block = nullptr;
  std::uint32_t offset = 0;
};

/// Resolves @p address, a shared or generic address, for a lane of @p warp. Raises a fault if the bytes are not all in
/// a block that still runs, or not aligned. @returns a place without a block after a fault
SharedPlace find_shared(Warp& warp, const Operation* op, unsigned lane, std::uint64_t address, std::uint32_t bytes,
                        std::uint32_t alignment, bool write);

}  // namespace warpbook::simulator

// Occupancy: how many blocks of a kernel fit on one SM, and which resource limits them.
#pragma once

#include <cstdint>

#include "common/simulator/model/device.h"

namespace warpbook::simulator {

/// Blocks per SM that each resource alone would allow; the names are those of Nsight Compute's
/// launch__occupancy_limit_*. A resource that a block does not use allows max_blocks_per_multiprocessor.
struct Occupancy {
  unsigned blocks = 0;        ///< The smallest of the limits: cudaOccupancyMaxActiveBlocksPerMultiprocessor.
  unsigned warps = 0;         ///< Resident warps per SM.
  double fraction = 0;        ///< warps / max_warps_per_multiprocessor; sm__maximum_warps_per_active_cycle_pct / 100.
  unsigned limit_blocks = 0;  ///< launch__occupancy_limit_blocks
  unsigned limit_registers = 0;      ///< launch__occupancy_limit_registers
  unsigned limit_shared = 0;         ///< With all the shared memory that the SM can have.
  unsigned limit_carveout = 0;       ///< launch__occupancy_limit_shared_mem: with the shared memory that the driver
                                     ///< configures for the kernel,
  std::uint64_t carveout_bytes = 0;  ///< launch__shared_mem_config_size: its part of the storage shared with the L1.
  unsigned limit_warps = 0;          ///< launch__occupancy_limit_warps
  unsigned limit_barriers = 0;       ///< launch__occupancy_limit_barriers
  const char* limiter = "";          ///< "blocks", "registers", "shared_mem", "warps" or "barriers".
};

/// @param registers_per_thread as allocated by ptxas; 0 counts as 1
/// @param threads_per_block 0 gives an occupancy of 0
/// @param shared_per_block static and dynamic bytes
Occupancy occupancy(const Device& device, unsigned registers_per_thread, unsigned threads_per_block,
                    std::uint64_t shared_per_block);

/// What a block takes of its SM, in allocation units.
struct BlockAllocation {
  unsigned warps = 0;
  std::uint64_t registers = 0;
  std::uint64_t shared_bytes = 0;
};
BlockAllocation allocation_of(const Device& device, unsigned registers_per_thread, unsigned threads_per_block,
                              std::uint64_t shared_per_block);

/// Clusters of @p cluster blocks that fit on the device: cudaOccupancyMaxActiveClusters. All blocks of a cluster are in
/// one GPC, which must have at least as many SMs as the cluster has blocks.
/// @param blocks of the kernel per SM; clusters of small blocks use at most eight per SM
std::uint64_t active_clusters(const Device& device, unsigned blocks, unsigned cluster);

}  // namespace warpbook::simulator

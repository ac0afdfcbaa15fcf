// Clusters: the barrier, and addresses in the shared memory of other blocks.
#include "common/simulator/machine/cluster.h"

#include <string>

#include "common/simulator/machine/access_messages.h"
#include "common/simulator/machine/block_state.h"
#include "common/simulator/machine/checker.h"
#include "common/simulator/machine/control.h"

namespace warpbook::simulator {

std::uint64_t block_of_cluster(const Launch& launch, std::uint64_t number, std::uint32_t rank) {
  const Dim3 &grid = launch.grid, &extent = launch.cluster;
  const std::uint64_t across = grid.x / extent.x, down = grid.y / extent.y;
  const std::uint64_t x = number % across * extent.x + rank % extent.x;
  const std::uint64_t y = number / across % down * extent.y + rank / extent.x % extent.y;
  const std::uint64_t z = number / across / down * extent.z + rank / extent.x / extent.y;
  return x + grid.x * (y + grid.y * z);
}

void Cluster::check_barrier() {
  bool any = false;
  for (const BlockState* block : blocks) {
    if (block == nullptr) continue;
    for (const auto& warp : block->warps) {
      if ((warp->live & ~warp->arrived_at_cluster) != 0) return;
      any |= warp->arrived_at_cluster != 0;
    }
  }
  if (!any) return;
  std::vector<BlockState*> running;
  for (BlockState* block : blocks)
    if (block != nullptr) running.push_back(block);
  if (!running.empty() && running.front()->checked) running.front()->worker->checker->open_cluster(running);
  for (BlockState* block : running) {
    block->progressed();
    for (const auto& warp : block->warps) {
      warp->arrived_at_cluster = 0;
      warp->release(kWaitsForCluster);
    }
  }
}

bool is_window_of_cluster(const Warp& warp, std::uint64_t window) {
  const bool is_alone = static_cast<const WarpState&>(warp).state->cluster_blocks().size() < 2;
  return is_alone ? window == kFirstRank : window >= kFirstRank;
}

ClusterMemory cluster_memory(Warp& warp, const Operation* op, unsigned lane, std::uint32_t window) {
  const SharedPlace place = find_shared(warp, op, lane, window * kWindowBytes, 0, 1, true);
  if (place.block == nullptr) return {};
  return {place.block->shared, place.block->shared_bytes};
}

SharedPlace find_shared(Warp& warp, const Operation* op, unsigned lane, std::uint64_t address, std::uint32_t bytes,
                        std::uint32_t alignment, bool write) {
  WarpState& state = state_of(warp);
  const std::uint64_t offset = address >= kSharedWindow ? address - kSharedWindow : address;
  const std::uint64_t window = offset / kWindowBytes;
  SharedPlace place;
  place.offset = static_cast<std::uint32_t>(offset % kWindowBytes);
  const auto fail = [&](FaultKind kind, FaultText text) {
    raise(warp, op, kind, lane, address, bytes, write, std::move(text));
    return SharedPlace{};
  };
  if (window == 0) {
    place.block = state.state;
  } else if (window >= kFirstRank && window < kFirstRank + state.state->cluster_blocks().size()) {
    place.block = state.state->cluster_blocks()[window - kFirstRank];
    if (place.block == nullptr)
      return fail(FaultKind::out_of_bounds,
                  {"the block of rank " + std::to_string(window - kFirstRank) +
                       " of the cluster has ended, and its shared memory with it: let it wait at a barrier of the "
                       "cluster (cluster.sync())",
                   FaultCause::outside_shared});
  }
  if (place.block == nullptr || place.offset + std::uint64_t{bytes} > place.block->shared_bytes)
    return fail(FaultKind::out_of_bounds,
                {"this is not an address of " + std::to_string(bytes) + " bytes of the shared memory of the " +
                     (state.state->cluster_blocks().size() > 1 ? "cluster" : "block"),
                 FaultCause::outside_shared});
  if (place.offset % alignment != 0)
    return fail(FaultKind::misaligned, describe_misaligned(ptx::Space::shared, place.offset, alignment, write));
  return place;
}

}  // namespace warpbook::simulator

// Generic addresses: the windows of shared memory, local memory and parameters.
//
// A generic address inside a window is an offset in the accessing thread's own block (shared), its own stack (local) or
// its launch's parameters. Every other generic address is an address of global memory. The windows lie above anything
// that a host process can map (user addresses end below 2^47), so no host pointer is ever mistaken for one.
#pragma once

#include <cstddef>
#include <cstdint>

#include "common/simulator/ptx/types.h"

namespace warpbook::simulator {

constexpr std::uint64_t kWindowBytes = std::uint64_t{1} << 24;
constexpr std::uint64_t kSharedWindow = 0x0001'0000'0000'0000;
constexpr std::uint64_t kLocalWindow = 0x0001'0000'0100'0000;
constexpr std::uint64_t kParamWindow = 0x0001'0000'0200'0000;

/// Windows of the shared memory of a cluster's blocks (cluster.h): this is the number of rank 0's window, counted from
/// kSharedWindow; at most kMostRanks follow each other.
constexpr std::uint64_t kFirstRank = 4, kMostRanks = 16;

struct Operation;
struct Warp;
/// Whether window @p window may belong to the cluster's shared memory. A block that is alone in its cluster has only
/// the first window.
bool is_window_of_cluster(const Warp& warp, std::uint64_t window);
/// The shared memory that window @p window stands for: the block's own (0) or that of a block of its cluster. Raises a
/// fault for a lane if there is none. @returns nullptr after a fault
struct ClusterMemory {
  std::byte* shared = nullptr;
  std::uint32_t bytes = 0;
};
ClusterMemory cluster_memory(Warp& warp, const Operation* op, unsigned lane, std::uint32_t window);

/// The state space of generic address @p address: shared (of the cluster, too), local, param or global.
constexpr ptx::Space space_of(std::uint64_t address) {
  const std::uint64_t offset = address - kSharedWindow;
  if (offset < kWindowBytes) return ptx::Space::shared;
  if (offset < 2 * kWindowBytes) return ptx::Space::local;
  if (offset < 3 * kWindowBytes) return ptx::Space::param;
  const std::uint64_t window = offset / kWindowBytes;
  if (window >= kFirstRank && window < kFirstRank + kMostRanks) return ptx::Space::shared;
  return ptx::Space::global;
}

/// The offset that makes an address of @p space generic (0 for global and constant memory).
constexpr std::uint64_t window_of(ptx::Space space) {
  switch (space) {
    case ptx::Space::shared:
      return kSharedWindow;
    case ptx::Space::local:
      return kLocalWindow;
    case ptx::Space::param:
      return kParamWindow;
    default:
      return 0;
  }
}

}  // namespace warpbook::simulator

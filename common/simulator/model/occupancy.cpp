// The occupancy rules of compute capability 9.0, checked against an H200's own answers (validation/).
#include "common/simulator/model/occupancy.h"

#include <algorithm>

namespace warpbook::simulator {
namespace {

std::uint64_t round_up(std::uint64_t value, std::uint64_t granularity) {
  return granularity == 0 ? value : (value + granularity - 1) / granularity * granularity;
}

std::uint64_t registers_of_warp(const Device& device, unsigned registers_per_thread) {
  return round_up(std::uint64_t{std::max(registers_per_thread, 1u)} * device.warp_size,
                  std::max(device.register_granularity, 1u));
}

/// Each scheduler has its own part of the register file, and a warp's registers are all in one part.
unsigned blocks_by_registers(const Device& device, unsigned registers_per_thread, unsigned warps) {
  const std::uint64_t per_warp = registers_of_warp(device, registers_per_thread);
  if (registers_per_thread > device.max_registers_per_thread) return 0;
  if (per_warp * round_up(warps, device.warp_granularity) > device.registers_per_block) return 0;
  const unsigned parts = std::max(device.schedulers, 1u);
  const std::uint64_t warps_per_part = device.registers_per_multiprocessor / parts / per_warp;
  return static_cast<unsigned>(warps_per_part * parts / warps);
}

unsigned blocks_by_shared(const Device& device, std::uint64_t bytes) {
  if (bytes > device.shared_per_block_optin) return 0;
  const std::uint64_t allocated = round_up(bytes + device.shared_reserved, device.shared_granularity);
  return static_cast<unsigned>(device.shared_per_multiprocessor / std::max<std::uint64_t>(allocated, 1));
}

/// Shared memory of an SM, among the sizes that it can have: the driver's choice. The rule was derived from 238 kernels
/// with 17 block sizes on an H200 (driver 580.159, CUDA 13.0, 2026-11-24). It leaves room for twice as many blocks as
/// run, except for the largest blocks, and gives at most 132 KiB for that purpose alone.
std::uint64_t carveout(const Device& device, unsigned threads, std::uint64_t allocated, unsigned blocks) {
  constexpr std::uint64_t kKib = 1024, kForMore = 132 * kKib;
  const auto size_for = [&](std::uint64_t bytes) {
    for (const std::uint64_t size : device.shared_carveouts)
      if (size > 0 && size >= bytes) return size;
    return std::uint64_t{device.shared_per_multiprocessor};
  };
  const bool uses_none = allocated <= device.shared_reserved;
  const unsigned twice = threads == device.max_threads_per_block ? blocks : 2 * blocks;
  const std::uint64_t wanted = std::min(twice, device.max_blocks_per_multiprocessor) * allocated;
  const std::uint64_t least = !uses_none || threads > 640 ? 0 : threads > 448 ? 16 * kKib : 32 * kKib;
  return size_for(std::max({blocks * allocated, std::min(wanted, kForMore), least}));
}

}  // namespace

BlockAllocation allocation_of(const Device& device, unsigned registers_per_thread, unsigned threads_per_block,
                              std::uint64_t shared_per_block) {
  BlockAllocation block;
  block.warps = (threads_per_block + device.warp_size - 1) / device.warp_size;
  block.registers = registers_of_warp(device, registers_per_thread) * block.warps;
  block.shared_bytes = round_up(shared_per_block + device.shared_reserved, device.shared_granularity);
  return block;
}

Occupancy occupancy(const Device& device, unsigned registers_per_thread, unsigned threads_per_block,
                    std::uint64_t shared_per_block) {
  Occupancy result;
  if (threads_per_block == 0 || threads_per_block > device.max_threads_per_block) return result;
  const unsigned warps = (threads_per_block + device.warp_size - 1) / device.warp_size;
  result.limit_blocks = device.max_blocks_per_multiprocessor;
  result.limit_barriers = device.max_blocks_per_multiprocessor;
  result.limit_warps = device.max_warps_per_multiprocessor / warps;
  result.limit_registers = blocks_by_registers(device, registers_per_thread, warps);
  result.limit_shared = blocks_by_shared(device, shared_per_block);

  // Of equal limits the first is reported: the one that a programmer is most likely to meet.
  struct Limit {
    unsigned blocks;
    const char* name;
  };
  const Limit limits[] = {{result.limit_warps, "warps"},
                          {result.limit_registers, "registers"},
                          {result.limit_shared, "shared_mem"},
                          {result.limit_blocks, "blocks"},
                          {result.limit_barriers, "barriers"}};
  const Limit& smallest = *std::min_element(std::begin(limits), std::end(limits),
                                            [](const Limit& a, const Limit& b) { return a.blocks < b.blocks; });
  result.blocks = smallest.blocks;
  result.limiter = smallest.name;
  result.warps = result.blocks * warps;
  const std::uint64_t allocated = round_up(shared_per_block + device.shared_reserved, device.shared_granularity);
  result.carveout_bytes = carveout(device, threads_per_block, allocated, result.blocks);
  result.limit_carveout = static_cast<unsigned>(result.carveout_bytes / std::max<std::uint64_t>(allocated, 1));
  result.fraction = static_cast<double>(result.warps) / device.max_warps_per_multiprocessor;
  return result;
}

std::uint64_t active_clusters(const Device& device, unsigned blocks, unsigned cluster) {
  constexpr unsigned kMostBlocks = 8;  // An H200's answer, whatever the block and its shared memory (2026-11-23).
  std::uint64_t clusters = 0;
  for (const unsigned multiprocessors : device.processing_clusters)
    if (cluster != 0 && multiprocessors >= cluster)
      clusters += std::uint64_t{multiprocessors} * std::min(blocks, kMostBlocks) / cluster;
  return clusters;
}

}  // namespace warpbook::simulator

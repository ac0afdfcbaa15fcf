// Copies in bulk: whole stretches of memory that one lane moves (cp.async.bulk), without registers.
#pragma once

#include <cstdint>

#include "common/simulator/machine/block_state.h"
#include "common/simulator/machine/cluster.h"

namespace warpbook::simulator {

/// Sizes and addresses of copies in bulk are multiples of this.
constexpr std::uint32_t kBulkBytes = 16;

/// A stretch of global memory, all in one allocation.
struct GlobalPlace {
  const Allocation* allocation = nullptr;
  std::uint64_t address = 0;
  std::byte* host() const { return allocation->host + (address - allocation->address); }
};

/// Where a lane reads or writes @p bytes; raises a fault if that is not in one allocation, or not aligned to
/// kBulkBytes. @returns a place without an allocation after a fault
GlobalPlace find_global(Warp& warp, const Operation* op, unsigned lane, std::uint64_t address, std::uint64_t bytes,
                        bool write);

/// Counts the sectors of a stretch as read or written by the launch, and as moved between L2 and shared memory.
void count_bulk(Worker& worker, const Operation* op, const GlobalPlace& place, std::uint64_t bytes, bool write);
/// Before global memory is written: what was there can be restored.
void before_bulk_write(Worker& worker, const GlobalPlace& place, std::uint64_t bytes);

/// The blocks of the cluster that bit mask @p ranks names. Raises a fault if one has ended or does not exist.
/// @returns false after a fault
bool find_ranks(Warp& warp, const Operation* op, unsigned lane, std::uint32_t ranks, std::vector<BlockState*>& blocks);

}  // namespace warpbook::simulator

// Bulk copies: ranges of memory that one lane moves without registers (cp.async.bulk).
#pragma once

#include <cstdint>

#include "common/simulator/machine/block_state.h"
#include "common/simulator/machine/cluster.h"

namespace warpbook::simulator {

/// Sizes and addresses of bulk copies are multiples of this.
constexpr std::uint32_t kBulkBytes = 16;

/// A range of global memory, all in one allocation.
struct GlobalPlace {
  const Allocation* allocation = nullptr;
  std::uint64_t address = 0;
  std::byte* host() const { return allocation->host + (address - allocation->address); }
};

/// Where a lane reads or writes @p bytes. Raises a fault if they are not all in one allocation, or not aligned to
/// kBulkBytes. @returns a place without an allocation after a fault
GlobalPlace find_global(Warp& warp, const Operation* op, unsigned lane, std::uint64_t address, std::uint64_t bytes,
                        bool write);

/// Counts the sectors of a range as read or written by the launch, and as moved between L2 and shared memory.
void count_bulk(Worker& worker, const Operation* op, const GlobalPlace& place, std::uint64_t bytes, bool write);
/// Call this before a write to global memory, so that its old contents can be restored.
void before_bulk_write(Worker& worker, const GlobalPlace& place, std::uint64_t bytes);

/// The blocks of the cluster named by bit mask @p ranks. Raises a fault if one has ended or does not exist. @returns
/// false after a fault
bool find_ranks(Warp& warp, const Operation* op, unsigned lane, std::uint32_t ranks, std::vector<BlockState*>& blocks);

}  // namespace warpbook::simulator

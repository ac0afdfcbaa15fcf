// Whether the blocks of a launch write disjoint memory that no block reads.
//
// Such blocks may run at the same time, and again from the start, without a copy of what they overwrite. It is proven
// for kernels that access global memory only at linear addresses (kernel/block_linear.h): what a block accesses is then
// what block (0, 0, 0) accesses, moved by a sum of steps along the grid's axes.
#pragma once

#include <cstdint>
#include <vector>

#include "common/simulator/machine/linear_registers.h"

namespace warpbook::simulator {

/// Bytes [begin, end).
struct ByteSpan {
  std::int64_t begin = 0, end = 0;
};
/// An axis of the grid: `blocks` of them, each of which accesses bytes `step` after those of the one before.
struct GridAxis {
  std::int64_t step = 0;
  std::uint32_t blocks = 1;
};

/// Whether blocks that access @p spans, moved by the steps along @p axes, access no byte twice. False also if that
/// would take long to find out.
bool are_disjoint(std::vector<ByteSpan> spans, std::vector<GridAxis> axes);

/// Whether each byte of global memory that the launch writes is written by one block alone and read by none.
/// @param linear of @p warps, which are those of a block of the launch. False also if it is not known.
bool have_disjoint_writes(const Launch& launch, const LinearRegisters& linear, const LinearRegisters::Warps& warps);

}  // namespace warpbook::simulator

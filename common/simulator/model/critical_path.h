// The critical path: how long one warp takes from its first to its last instruction if no other block is running.
//
// Each stretch of code without a real branch is scheduled as ptxas would try to: an instruction starts as soon as its
// operands are there, loads move up past arithmetic but not past barriers or stores that might change what they read,
// and no faster than one warp issues. A stretch ends when all its instructions have been issued; loads that nobody has
// used yet stay in flight. At a barrier the warp also waits until the load-store unit has served the whole block.
// The path is the sum over the blocks of code, each as often as an average warp executed it. Longer warps execute more
// of those that not all warps execute equally often. A thread block lasts as long as its longest warp.
#pragma once

#include "common/simulator/model/time_model.h"

namespace warpbook::simulator {

struct MachineCode;
struct WorkTotals;

/// Cycles from a warp's first instruction to its last.
struct WarpCycles {
  double of_block = 0;  ///< Of the longest warp of a block, on average over the blocks,
  double longest = 0;   ///< and of the longest warp of all.
  /// Of those, cycles in which the warps of a multiprocessor or of a block wait for each other at these units.
  double at_issue = 0, at_lsu = 0, at_barrier = 0;
};

/// @param totals filled but for these: its traffic says how often a miss goes on to DRAM
WarpCycles warp_cycles(const Device& device, const KernelWork& work, const WorkTotals& totals, const MachineCode& code);

}  // namespace warpbook::simulator

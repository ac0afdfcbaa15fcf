// The critical path: how long one warp takes from its first to its last instruction if no other block is running.
//
// Each stretch of code without a real branch is scheduled as ptxas tries to: an instruction starts as soon as its
// operands are available, loads move up past arithmetic but not past barriers or stores that might change what they
// read, and no faster than one warp can issue. A stretch ends when all its instructions have been issued; loads whose
// results have not been used yet stay in flight. At a barrier the warp also waits until the load-store unit has served
// the whole block. The path is the sum over the basic blocks, each weighted by how often an average warp executed it.
#pragma once

#include "common/simulator/model/time_model.h"

namespace warpbook::simulator {

struct MachineCode;
struct WorkTotals;

/// @param totals complete except for warp_cycles: its traffic gives the share of misses that go to DRAM
/// @returns cycles
double warp_cycles(const Device& device, const KernelWork& work, const WorkTotals& totals, const MachineCode& code);

}  // namespace warpbook::simulator

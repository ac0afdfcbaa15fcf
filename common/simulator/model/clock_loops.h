// Loops in which a kernel waits until a clock has moved on: they take as long as the clock says, however many
// instructions the virtual GPU went through meanwhile.
//
// The clock of a block moves on by one with each operation that the block executes (machine/control.cpp). A loop that
// does nothing but look at it ends when the time has come, on hardware as here; only the number of its rounds differs,
// so no cost may follow from that. Such a loop reads %clock, %clock64 or %globaltimer and has no access to memory, no
// barrier and no call.
#pragma once

#include <cstdint>

#include "common/simulator/kernel/program.h"
#include "common/simulator/model/device.h"
#include "common/simulator/model/time_model.h"
#include "common/simulator/observe/counters.h"

namespace warpbook::simulator {

/// Whether there is such a loop: only then counters need to be copied for what follows.
bool has_clock_loops(const Program& program);

/// Counts such loops of a launch as one round for each warp. @returns the cycles that a warp spent in them by the clock
/// of its block, on average; 0, and @p counters as they were, if there are none
double take_out_clock_loops(const Program& program, Counters& counters);

/// Adds to @p time what blocks waited for their clocks: the component "clock".
void add_clock_time(const Device& device, double cycles, std::uint64_t blocks, KernelTime& time);

}  // namespace warpbook::simulator

// Loops in which a kernel waits until a clock has advanced: they take as long as the clock says, however many
// instructions the virtual GPU executed meanwhile.
//
// A block's clock advances by one with each instruction that a warp of it executes (machine/control.cpp). A loop that
// only reads the clock ends when the time has come, on hardware as here, and so does one that sleeps meanwhile. Only
// the number of iterations differs, so it must not affect the cost. Such a loop reads %clock, %clock64 or %globaltimer
// and has no memory access, no barrier and no call.
#pragma once

#include <cstdint>

#include "common/simulator/kernel/program.h"
#include "common/simulator/model/device.h"
#include "common/simulator/model/time_model.h"
#include "common/simulator/observe/counters.h"

namespace warpbook::simulator {

/// Whether there is such a loop. Otherwise the counters need not be copied for the next call.
bool has_clock_loops(const Program& program);

/// Counts such loops of a launch as one iteration per warp. @returns the cycles that a warp spent in them by its
/// block's clock, on average. If there are none, 0, and @p counters is unchanged
double take_out_clock_loops(const Program& program, Counters& counters);

/// Adds the time that blocks waited for their clocks to @p time: the component "clock".
void add_clock_time(const Device& device, double cycles, std::uint64_t blocks, KernelTime& time);

}  // namespace warpbook::simulator

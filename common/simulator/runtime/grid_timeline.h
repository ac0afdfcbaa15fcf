// When the grids of a tree run: launches by kernels on the virtual clock.
//
// Functional execution is over when this starts, so the tree is a set of grids with known durations and known
// relations: a grid's work is issued at some part of its duration, waits for its stream, reaches the device after the
// latency of a device launch, and starts when block slots are free. A grid is complete when all its work is; its tail
// launches follow all other work, one after another. The constants are those named device_launch_* of the device.
#pragma once

#include "common/simulator/runtime/grid_tree.h"

namespace warpbook::simulator::runtime {

/// What its launches add to the duration of the grid itself, in microseconds.
double launching_us(const Runtime& runtime, const GridNode& node);

/// Puts @p root into @p stream and everything below it behind it; fills start_us, end_us and complete_us.
void place_on_timeline(Runtime& runtime, const Stream& stream, GridNode& root);

}  // namespace warpbook::simulator::runtime

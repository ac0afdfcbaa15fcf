// When the grids of a tree run: launches by kernels on the virtual clock.
//
// Functional execution has ended when this starts, so the tree is a set of grids with known durations and dependencies.
// A grid's work is issued at some point of its duration, is accepted by the device, waits for its stream, and starts
// when block slots are free. Launches of one warp are accepted one after another; a multiprocessor and the whole device
// accept a limited number per microsecond. A grid is complete when all its work is; its tail launches follow all other
// work, one after another. The constants are those of the device description named device_*.
#pragma once

#include "common/simulator/runtime/grid_tree.h"

namespace warpbook::simulator::runtime {

/// When each launch of @p node is accepted, counted from the start of the grid. A warp continues after a launch when it
/// is accepted, so the grid may take longer than its instructions do.
void time_launches(const Runtime& runtime, GridNode& node);

/// Puts @p root into @p stream and all its descendants after it; fills start_us, end_us and complete_us.
void place_on_timeline(Runtime& runtime, const Stream& stream, GridNode& root);

}  // namespace warpbook::simulator::runtime

// When the grids of a tree run: launches by kernels on the virtual clock.
//
// Functional execution is over when this starts, so the tree is a set of grids with known durations and known
// relations: a grid's work is issued at some part of its duration, is taken in by the device, waits for its stream, and
// starts when block slots are free. A warp takes in its launches one after another, a multiprocessor and the whole
// device no more than so many in a microsecond. A grid is complete when all its work is; its tail launches follow all
// other work, one after another. The constants are those named device_* of the device description.
#pragma once

#include "common/simulator/runtime/grid_tree.h"

namespace warpbook::simulator::runtime {

/// When each launch of @p node is taken in, counted from the start of the grid; a launch is over for its warp when it
/// is taken in, so the grid may take longer than its instructions do.
void time_launches(const Runtime& runtime, GridNode& node);

/// Puts @p root into @p stream and everything below it behind it; fills start_us, end_us and complete_us.
void place_on_timeline(Runtime& runtime, const Stream& stream, GridNode& root);

}  // namespace warpbook::simulator::runtime

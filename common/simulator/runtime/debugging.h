// `warpbook debug`: the program's launches run under the debugger, which runs inside the program. A device apart from
// its program has none: remote/device/no_debugger.cpp.
#pragma once

#include "common/simulator/machine/device_runtime.h"
#include "common/simulator/runtime/grid_run.h"

namespace warpbook::simulator::runtime {

/// WARPBOOK_DEBUG is set: `console`, or `dap:FD`, where FD is a socket for the Debug Adapter Protocol.
bool is_debugged();

/// Called when the program begins; returns when the debugger lets it run. Does nothing the second time, and in other
/// processes.
void begin_debugging();

/// simulator::run() with stops.
LaunchResult run_debugged(Runtime& runtime, const GridRun& run, const Launch& launch, DeviceRuntime* device_runtime);

}  // namespace warpbook::simulator::runtime

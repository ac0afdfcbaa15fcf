// The debugger talks to somebody at the program's terminal: a device apart from its program has none.
#include "common/simulator/machine/launch.h"
#include "common/simulator/runtime/debugging.h"

namespace warpbook::simulator::runtime {

bool is_debugged() { return false; }

void begin_debugging() {}

LaunchResult run_debugged(Runtime&, const GridRun&, const Launch& launch, DeviceRuntime* device_runtime) {
  return simulator::run(launch, device_runtime);
}

}  // namespace warpbook::simulator::runtime

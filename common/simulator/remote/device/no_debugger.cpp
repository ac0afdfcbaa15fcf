// The debugger talks to the user at the program's terminal, which a device in another process does not have.
#include "common/simulator/machine/launch.h"
#include "common/simulator/runtime/debugging.h"

namespace warpbook::simulator::runtime {

bool is_debugged() { return false; }

void begin_debugging() {}

LaunchResult run_debugged(Runtime&, const GridRun&, const Launch& launch, DeviceRuntime* device_runtime) {
  return simulator::run(launch, device_runtime);
}

}  // namespace warpbook::simulator::runtime

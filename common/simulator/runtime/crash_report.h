// What is said when host code dereferences a device pointer.
#pragma once

namespace warpbook::simulator::runtime {

/// Installs a SIGSEGV handler that serves the host's page faults on managed memory, explains a host access to device
/// memory and then lets the signal kill the process.
/// Other faults go to the handler that was there before.
void install_crash_report();

}  // namespace warpbook::simulator::runtime

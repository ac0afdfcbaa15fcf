// What is said when host code dereferences a device pointer.
#pragma once

#include <cstdint>

namespace warpbook::simulator::runtime {

/// What is done about an address that host code cannot use.
struct HostFaults {
  bool (*serve)(std::uint64_t address, bool write);  ///< @returns true if it can be used now: managed memory
  /// It is device memory: says so. @p instruction is the address of what used it; 0: not known.
  void (*explain)(std::uint64_t address, bool write, std::uint64_t instruction);
};

/// Installs a SIGSEGV handler that serves the host's page faults on managed memory, explains a host access to device
/// memory and then lets the signal kill the process.
/// Other faults go to the handler that was there before.
void install_crash_report(HostFaults faults);

}  // namespace warpbook::simulator::runtime

// What happens when host code accesses an address of the device (crash_report.h).
#pragma once

#include <cstdint>

#include "common/simulator/runtime/crash_report.h"

namespace warpbook::simulator::runtime {

/// Moves the page if it is managed memory; checks the access if it is memory that the host and the device share.
/// @param instruction the address of the accessing instruction; 0: unknown
Served serve_host_access(std::uint64_t address, bool write, std::uint64_t instruction);
/// The access that was served `once` is over.
void end_host_access(std::uint64_t address);

/// An access that cannot be served.
struct HostAccess {
  std::uint64_t address = 0;
  bool write = false;
  std::uint64_t instruction = 0;  ///< The address of the accessing instruction in this process; 0: unknown.
  std::uint64_t offset = 0;       ///< The same as an offset in the program's file; 0: unknown.
};

/// Reports which memory of the device the host cannot access there. If the device is in the program's process, which is
/// about to end, also writes the profile.
void explain_host_access(const HostAccess& access);

}  // namespace warpbook::simulator::runtime

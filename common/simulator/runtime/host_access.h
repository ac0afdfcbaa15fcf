// What is done when host code touches an address of the device (crash_report.h).
#pragma once

#include <cstdint>

#include "common/simulator/runtime/crash_report.h"

namespace warpbook::simulator::runtime {

/// Moves the page, if it is managed memory; checks the access, if it is memory that the host and the device share.
/// @param instruction the address of what uses it; 0: not known
Served serve_host_access(std::uint64_t address, bool write, std::uint64_t instruction);
/// What was served once has been used.
void end_host_access(std::uint64_t address);

/// An access that nothing can serve.
struct HostAccess {
  std::uint64_t address = 0;
  bool write = false;
  std::uint64_t instruction = 0;  ///< The address of what used it, in this process; 0: not known.
  std::uint64_t offset = 0;       ///< The same in the program's file; 0: not known.
};

/// Says which memory of the device the host cannot use there. If the device is in the program's process, which is about
/// to end, it writes the profile, too.
void explain_host_access(const HostAccess& access);

}  // namespace warpbook::simulator::runtime

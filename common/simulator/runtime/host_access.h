// What is done when host code touches an address of the device (crash_report.h).
#pragma once

#include <cstdint>

namespace warpbook::simulator::runtime {

/// Moves the page, if it is managed memory. @returns whether it is
bool serve_host_access(std::uint64_t address, bool write);

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

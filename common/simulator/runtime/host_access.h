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

/// Says which memory of the device the host cannot use there, and writes the profile, for the process is about to end.
/// @param instruction the address of what used it; 0: not known
void explain_host_access(std::uint64_t address, std::uint64_t instruction);

}  // namespace warpbook::simulator::runtime

// Translates places in host code to files and lines with the program's debug information.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "common/simulator/runtime/host_places.h"

namespace warpbook::simulator::runtime {

struct HostLine {
  std::string file;  ///< Empty: the program was built without -g, or addr2line is missing.
  std::uint32_t line = 0;
};

/// By place number, for those in @p wanted: the innermost line of the program's own code, found by addr2line
/// (binutils). Skips the toolkit's headers and the launch stubs that nvcc generates.
/// @param kernels mangled names: their host functions are skipped
std::vector<HostLine> lines_of(const HostPlaces& places, const std::set<std::size_t>& wanted,
                               const std::set<std::string>& kernels);

}  // namespace warpbook::simulator::runtime

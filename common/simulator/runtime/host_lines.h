// From places of the host's code to files and lines, by the program's debug information.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "common/simulator/runtime/host_places.h"

namespace warpbook::simulator::runtime {

struct HostLine {
  std::string file;  ///< Empty: the program was built without -g, or there is no addr2line.
  std::uint32_t line = 0;
};

/// By the number of a place, for those in @p wanted, the innermost line of the program's own code, found by addr2line
/// (binutils): not one of the toolkit's headers, nor of what nvcc made of a launch. @param kernels mangled names: their
/// host functions are passed
std::vector<HostLine> lines_of(const HostPlaces& places, const std::set<std::size_t>& wanted,
                               const std::set<std::string>& kernels);

}  // namespace warpbook::simulator::runtime

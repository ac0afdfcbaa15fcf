// What the program allocated or created and never released.
#pragma once

#include <cstddef>
#include <set>
#include <vector>

#include "common/simulator/runtime/host_lines.h"
#include "common/simulator/runtime/runtime.h"

namespace warpbook::simulator::runtime {

/// The places where live allocations and objects were made: numbers of the runtime's places.
std::set<std::size_t> places_of_alive(const Runtime& runtime);

/// Adds a finding for each call whose memory or objects are still alive. @param lines of the runtime's places, by
/// number
void add_leaks(Runtime& runtime, const std::vector<HostLine>& lines);

}  // namespace warpbook::simulator::runtime

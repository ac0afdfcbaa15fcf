// Refusals: launches by the host whose configuration the device cannot take, and which of its limits they break.
#pragma once

#include <cstdint>

#include "common/simulator/runtime/grid_run.h"

namespace warpbook::simulator::runtime {

/// Puts a launch that check_launch() refused with @p error into the profile, with the limit that it breaks; if several,
/// the first. @param dynamic_shared bytes that it asks for
void record_refusal(Runtime& runtime, const GridRun& run, std::uint64_t dynamic_shared, int error);

}  // namespace warpbook::simulator::runtime

// Refused launches: launches by the host whose configuration the device does not support, and the limit they exceed.
#pragma once

#include <cstdint>

#include "common/simulator/runtime/grid_run.h"

namespace warpbook::simulator::runtime {

/// Records a launch that check_launch() refused with @p error in the profile, with the first limit that it exceeds.
/// @param dynamic_shared bytes that it requests
void record_refusal(Runtime& runtime, const GridRun& run, std::uint64_t dynamic_shared, int error);

}  // namespace warpbook::simulator::runtime

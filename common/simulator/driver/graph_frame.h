// The frame of the driver's calls on graphs, which forward to those of the runtime: in this process, or with the device
// in another one (remote/front_driver).
#pragma once

#include <functional>

#include "common/simulator/driver/results.h"

namespace warpbook::simulator::driver {

/// Makes @p call, one of the runtime API, as a call of the driver.
CUresult as_driver(const std::function<cudaError_t()>& call);

}  // namespace warpbook::simulator::driver

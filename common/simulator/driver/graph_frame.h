// Wraps the driver's graph calls, which forward to those of the runtime: in this process, or with the device in another
// one (remote/front_driver).
#pragma once

#include <functional>

#include "common/simulator/driver/results.h"

namespace warpbook::simulator::driver {

/// Executes @p call, a runtime API call, as a driver call.
CUresult as_driver(const std::function<cudaError_t()>& call);

}  // namespace warpbook::simulator::driver

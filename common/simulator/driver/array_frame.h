// The frame of the driver's copies of arrays, which forward to those of the runtime: in this process, or with the
// device in another one (remote/front_driver).
#pragma once

#include <functional>

#include "common/simulator/driver/results.h"

namespace warpbook::simulator::driver {

/// Makes @p copy, one of the runtime API, as a call of the driver.
CUresult copy_as_driver(const std::function<cudaError_t()>& copy);

}  // namespace warpbook::simulator::driver

// What driver calls return.
#pragma once

#include <cuda_runtime_api.h>

#include "common/simulator/driver/driver_api.h"

namespace warpbook::simulator::driver {

/// The driver's number for a runtime error: the same, except for errors that only the runtime has.
CUresult result_of(cudaError_t error);

}  // namespace warpbook::simulator::driver

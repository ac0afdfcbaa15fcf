// What calls of the driver answer.
#pragma once

#include <cuda_runtime_api.h>

#include "common/simulator/driver/driver_api.h"

namespace warpbook::simulator::driver {

/// The driver's number for an error of the runtime: the same, except for errors that only the runtime has.
CUresult result_of(cudaError_t error);

}  // namespace warpbook::simulator::driver

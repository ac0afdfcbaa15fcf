// Reports that a tensor map is not supported: by the device itself, or from the program's process.
#pragma once

#include <string>

#include "common/simulator/driver/driver_api.h"

namespace warpbook::simulator::driver {

/// @returns CUDA_ERROR_NOT_SUPPORTED
CUresult refuse_tensor_map(const char* call, const std::string& what);

}  // namespace warpbook::simulator::driver

// How calls of the driver API end that are not there.
#pragma once

namespace warpbook::simulator::driver {

/// Says once that @p name is not supported. @returns the number of CUDA_ERROR_NOT_SUPPORTED
int unsupported_call(const char* name);

}  // namespace warpbook::simulator::driver

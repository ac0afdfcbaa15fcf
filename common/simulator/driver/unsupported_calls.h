// What unsupported driver calls do.
#pragma once

namespace warpbook::simulator::driver {

/// Reports once that @p name is not supported. @returns the number of CUDA_ERROR_NOT_SUPPORTED
int unsupported_call(const char* name);

}  // namespace warpbook::simulator::driver

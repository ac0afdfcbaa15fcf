// What unsupported calls do.
#pragma once

namespace warpbook::simulator::remote {

/// Makes the device report once that @p name is not supported. @returns the number of the API's error
int unsupported_call(const char* name);
int unsupported_driver_call(const char* name);

}  // namespace warpbook::simulator::remote

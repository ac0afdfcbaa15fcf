// How calls end that are not there.
#pragma once

namespace warpbook::simulator::runtime {

/// Says once that @p name is not supported. @returns the number of cudaErrorNotSupported
int unsupported_call(const char* name);

}  // namespace warpbook::simulator::runtime

// Results of unsupported calls.
#pragma once

namespace warpbook::simulator::runtime {

/// Reports once that @p name is not supported. @returns the number of cudaErrorNotSupported
int unsupported_call(const char* name);

}  // namespace warpbook::simulator::runtime

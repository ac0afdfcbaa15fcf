// Names and texts of the runtime's errors.
#pragma once

namespace warpbook::simulator::runtime {

/// "cudaErrorInvalidValue"; "unrecognized error code" for an unknown number.
const char* error_name(int code);

/// "invalid argument"
const char* error_text(int code);

}  // namespace warpbook::simulator::runtime

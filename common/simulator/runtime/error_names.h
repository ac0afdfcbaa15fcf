// Names and texts of the runtime's errors.
#pragma once

namespace warpbook::simulator::runtime {

/// "cudaErrorInvalidValue"; "unrecognized error code" for a number that is none.
const char* error_name(int code);

/// "invalid argument"
const char* error_text(int code);

}  // namespace warpbook::simulator::runtime

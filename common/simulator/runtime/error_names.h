// Names and texts of the runtime's errors.
#pragma once

namespace warpbook::simulator::runtime {

/// "cudaErrorInvalidValue"; "unrecognized error code" for a number that is none.
const char* error_name(int code);

/// "invalid argument"
const char* error_text(int code);

/// True for the errors that stay until cudaDeviceReset: those after which a context is of no more use.
bool is_sticky(int code);

}  // namespace warpbook::simulator::runtime

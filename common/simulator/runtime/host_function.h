// Stream callbacks whose completion the program does not wait for.
//
// GCC's OpenACC library frees memory in callbacks. A function of the program may set a flag that the program waits for,
// which counts as waiting for the stream; GCC's callbacks do not.
#pragma once

#include <dlfcn.h>

#include <string_view>

#include "common/simulator/runtime/cuda_api.h"

namespace warpbook::simulator::runtime {

/// Whether the function is in GCC's libgomp or its plugin.
inline bool is_of_libgomp(const void* function) {
  Dl_info info{};
  return dladdr(function, &info) != 0 && info.dli_fname != nullptr &&
         std::string_view(info.dli_fname).find("libgomp") != std::string_view::npos;
}

/// Runs the work in the stream so far, as before a host function; for the checks, the host has not waited for it.
cudaError_t take_turn_in_stream(cudaStream_t stream);

}  // namespace warpbook::simulator::runtime

// Functions in streams whose end tells the program nothing.
//
// GCC's library for OpenACC gives memory back by callbacks. A function of the program's own may set a flag that the
// program waits for, and serves as waiting for the stream; those do not.
#pragma once

#include <dlfcn.h>

#include <string_view>

#include "common/simulator/runtime/cuda_api.h"

namespace warpbook::simulator::runtime {

/// Whether GCC's libgomp or its plugin has this function.
inline bool is_of_libgomp(const void* function) {
  Dl_info info{};
  return dladdr(function, &info) != 0 && info.dli_fname != nullptr &&
         std::string_view(info.dli_fname).find("libgomp") != std::string_view::npos;
}

/// Does what is in the stream so far, as before a host function; as far as the checks know, the host has not waited.
cudaError_t take_turn_in_stream(cudaStream_t stream);

}  // namespace warpbook::simulator::runtime

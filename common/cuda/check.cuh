// WB_CHECK: turns a failed CUDA call into an exception that names the call, the place and the error.
//
// Answers include this. So it includes no header of the C++ library: <string> alone takes nvcc as long as a short
// answer.
#pragma once

#include <cuda_runtime.h>

namespace warpbook {

/// Defined in check.cpp. @throws CallError (call_error.h): "file:line: call: cudaErrorName (number): description"
[[noreturn]] void throw_call_error(cudaError_t code, const char* call, const char* file, int line);

/// @throws CallError if code is not cudaSuccess. Use it through WB_CHECK.
inline void check(cudaError_t code, const char* call, const char* file, int line) {
  if (code != cudaSuccess) throw_call_error(code, call, file, line);
}

}  // namespace warpbook

/// WB_CHECK(cudaMalloc(&p, bytes)); after a launch: WB_CHECK(cudaGetLastError());
#define WB_CHECK(call) ::warpbook::check((call), #call, __FILE__, __LINE__)

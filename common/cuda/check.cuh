// WB_CHECK: turns a failed CUDA call into an exception that names the call, the place and the error.
#pragma once

#include <cuda_runtime.h>

#include <string>

#include "common/cuda/call_error.h"

namespace warpbook {

/// A CUDA call that failed. what() reads "file:line: call: cudaErrorName (number): description".
class CudaError : public CallError {
 public:
  CudaError(cudaError_t code, const char* call, const char* file, int line)
      : CallError(std::string(file) + ":" + std::to_string(line) + ": " + call + ": " + cudaGetErrorName(code) + " (" +
                      std::to_string(static_cast<int>(code)) + "): " + cudaGetErrorString(code),
                  static_cast<int>(code), cudaGetErrorName(code), call),
        code_(code) {}

  /// The runtime's error code.
  cudaError_t code() const { return code_; }

 private:
  cudaError_t code_;
};

/// @throws CudaError if code is not cudaSuccess. Use it through WB_CHECK.
inline void check(cudaError_t code, const char* call, const char* file, int line) {
  if (code != cudaSuccess) throw CudaError(code, call, file, line);
}

}  // namespace warpbook

/// WB_CHECK(cudaMalloc(&p, bytes)); after a launch: WB_CHECK(cudaGetLastError());
#define WB_CHECK(call) ::warpbook::check((call), #call, __FILE__, __LINE__)

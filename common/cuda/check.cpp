// The part of check.cuh that is compiled once.
#include "common/cuda/check.cuh"

#include <string>

#include "common/cuda/call_error.h"

namespace warpbook {

void throw_call_error(cudaError_t code, const char* call, const char* file, int line) {
  const int number = static_cast<int>(code);
  const std::string name = cudaGetErrorName(code);
  throw CallError(std::string(file) + ":" + std::to_string(line) + ": " + call + ": " + name + " (" +
                      std::to_string(number) + "): " + cudaGetErrorString(code),
                  number, name, call);
}

}  // namespace warpbook

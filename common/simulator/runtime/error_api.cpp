// The thread's last error, and errors in words.
#include "common/simulator/runtime/call.h"
#include "common/simulator/runtime/cuda_api.h"
#include "common/simulator/runtime/error_names.h"

using namespace warpbook::simulator::runtime;

cudaError_t cudaGetLastError() {
  const cudaError_t error = last_error();
  forget_last_error();
  return error;
}

cudaError_t cudaPeekAtLastError() { return last_error(); }

const char* cudaGetErrorName(cudaError_t error) { return error_name(error); }

const char* cudaGetErrorString(cudaError_t error) { return error_text(error); }

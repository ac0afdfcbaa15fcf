// The thread's last error, and texts of errors.
#include "common/simulator/runtime/call.h"
#include "common/simulator/runtime/cuda_api.h"
#include "common/simulator/runtime/error_names.h"

using namespace warpbook::simulator::runtime;

namespace {

/// The last error, which the program has queried now.
cudaError_t observed_error() {
  const cudaError_t error = last_error();
  if (error == cudaSuccess) return error;
  const std::lock_guard guard(runtime_lock());
  if (Runtime* runtime = Runtime::existing()) runtime->unchecked.asked();
  return error;
}

}  // namespace

cudaError_t cudaGetLastError() {
  const cudaError_t error = observed_error();
  // "No device" remains the answer, as on a machine without one (2026-11-23).
  const Runtime* const runtime = Runtime::existing();
  if (runtime == nullptr || runtime->device_count() != 0) forget_last_error();
  return error;
}

cudaError_t cudaPeekAtLastError() { return observed_error(); }

const char* cudaGetErrorName(cudaError_t error) { return error_name(error); }

const char* cudaGetErrorString(cudaError_t error) { return error_text(error); }

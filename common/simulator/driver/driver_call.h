// The wrapper of every driver API call: preconditions, the lock, the device's errors.
//
// A call is either a body that works on the runtime's core (driver_call) or the same call of the runtime API (forward).
// Neither changes the last error that cudaGetLastError returns.
#pragma once

#include <exception>

#include "common/simulator/driver/context.h"
#include "common/simulator/driver/results.h"
#include "common/simulator/runtime/call.h"

namespace warpbook::simulator::driver {

using runtime::CallKind;
using runtime::Runtime;

/// Preconditions of a call.
enum class Needs {
  nothing,
  initialised,  ///< cuInit; else CUDA_ERROR_NOT_INITIALIZED.
  context,      ///< A current context; else CUDA_ERROR_INVALID_CONTEXT.
};

inline CUresult result_of(CUresult result) { return result; }

/// Preserves this thread's last error of the runtime, and whether the runtime API was used.
class LastErrorScope {
 public:
  LastErrorScope();
  ~LastErrorScope();
  LastErrorScope(const LastErrorScope&) = delete;
  LastErrorScope& operator=(const LastErrorScope&) = delete;

 private:
  cudaError_t error_;
  unsigned device_;
  bool primary_;
};

/// CUDA_SUCCESS if the precondition @p needs holds.
CUresult missing(Needs needs);

/// Reports once that @p name is not supported. @returns CUDA_ERROR_NOT_SUPPORTED
CUresult not_supported(const char* name, const char* detail = "");

/// Runs @p body(Runtime&), which returns a CUresult or a cudaError_t.
template <class Body>
CUresult driver_call(CallKind kind, const char* name, Body body, Needs needs = Needs::context) {
  const std::lock_guard guard(runtime::runtime_lock());
  try {
    Runtime& device = Runtime::instance();
    if (device.device_count() == 0) return result_of(device.no_device());
    const runtime::OnDevice here(runtime::current_device());
    const runtime::TracedCall traced(device, name);
    device.call_name = name;
    bool skip = false;
    if (const cudaError_t error = enter(device, kind, skip)) return result_of(error);
    if (const CUresult error = missing(needs)) return error;
    if (skip) return CUDA_SUCCESS;
    return result_of(body(device));
  } catch (const std::bad_alloc&) {
    runtime::complain_once(std::string(name) + ": out of host memory");
    return CUDA_ERROR_OUT_OF_MEMORY;
  } catch (const std::exception& exception) {
    runtime::complain_once(exception.what());
    return CUDA_ERROR_NOT_INITIALIZED;
  }
}

/// Runs @p body(), which calls the runtime API.
template <class Body>
CUresult forward(Body body, Needs needs = Needs::context) {
  const std::lock_guard guard(runtime::runtime_lock());
  if (const CUresult error = missing(needs)) return error;
  const LastErrorScope scope;
  return result_of(body());
}

}  // namespace warpbook::simulator::driver

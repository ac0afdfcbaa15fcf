// The wrapper of every API call: the lock, the device's errors, and the thread's last error.
#pragma once

#include <exception>

#include "common/simulator/runtime/runtime.h"

namespace warpbook::simulator::runtime {

/// How a call behaves on a device that has failed.
enum class CallKind {
  ordinary,  ///< Notices a pending fault, and returns the sticky error from then on.
  enqueue,   ///< Only submits work to a stream: it does not notice a pending fault.
  query,     ///< Queries the device or the process, and works on a failed device, too.
};

/// Stores @p error as this thread's last error if it is an error. @returns it
cudaError_t remember(cudaError_t error);
cudaError_t last_error();
void forget_last_error();

/// True while a host function or callback of a stream runs on this thread: it must not call the API.
bool in_host_function();

/// CUDA runs host functions on a thread of its own: their errors do not become this thread's last error.
class HostFunctionScope {
 public:
  HostFunctionScope();
  ~HostFunctionScope();

 private:
  cudaError_t last_error_;
};

/// Called before the body of a call. @returns an error that ends the call, or cudaSuccess; @p skip is set if the work
/// must be dropped because an earlier kernel failed
cudaError_t enter(Runtime& runtime, CallKind kind, bool& skip);

/// Runs @p body(Runtime&) as one API call: locked, with errors noticed and remembered, and exceptions turned into
/// errors and a line on stderr.
template <class Body>
cudaError_t call(CallKind kind, const char* name, Body body) {
  const std::lock_guard guard(runtime_lock());
  try {
    Runtime& runtime = Runtime::instance();
    if (runtime.device_count() == 0) return remember(runtime.no_device());
    const OnDevice here(current_device());
    const TracedCall traced(runtime, name);
    runtime.call_name = name;
    bool skip = false;
    const cudaError_t error = enter(runtime, kind, skip);
    if (kind != CallKind::query) runtime.here().primary_context = true;
    if (error != cudaSuccess) return remember(error);
    if (skip) return cudaSuccess;
    return remember(body(runtime));
  } catch (const std::bad_alloc&) {
    complain_once(std::string(name) + ": out of host memory");
    return remember(cudaErrorMemoryAllocation);
  } catch (const std::exception& exception) {
    complain_once(exception.what());
    return remember(cudaErrorInitializationError);
  }
}

/// Reports once on stderr that @p name is not supported. @returns cudaErrorNotSupported
cudaError_t not_supported(const char* name, const char* detail = "");

/// Says what is wrong with a call's arguments, where its error tells too little by itself. @returns the error
cudaError_t refused(const std::string& name, const std::string& reason, cudaError_t error = cudaErrorInvalidValue);

}  // namespace warpbook::simulator::runtime

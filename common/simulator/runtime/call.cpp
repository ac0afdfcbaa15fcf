// The thread's last error, and what precedes the body of an API call.
#include "common/simulator/runtime/call.h"

#include <string>

#include "common/simulator/runtime/forked_child.h"
#include "common/simulator/runtime/graph_state.h"
#include "common/simulator/runtime/unsupported_calls.h"

namespace warpbook::simulator::runtime {
namespace {
thread_local cudaError_t thread_last_error = cudaSuccess;
thread_local bool thread_in_host_function = false;
}  // namespace

cudaError_t remember(cudaError_t error) {
  if (error != cudaSuccess && error != cudaErrorNotReady) thread_last_error = error;
  return error;
}

cudaError_t last_error() { return thread_last_error; }

void forget_last_error() { thread_last_error = cudaSuccess; }

bool in_host_function() { return thread_in_host_function; }
HostFunctionScope::HostFunctionScope() : last_error_(thread_last_error) { thread_in_host_function = true; }
HostFunctionScope::~HostFunctionScope() {
  thread_in_host_function = false;
  thread_last_error = last_error_;
}

cudaError_t enter(Runtime& runtime, CallKind kind, bool& skip) {
  if (in_forked_child()) {
    complain_once(
        "this process was forked from one that had used CUDA, and so cannot use it: let it start anew (exec, or "
        "multiprocessing's \"spawn\" in Python), or fork before the first call");
    return cudaErrorInitializationError;
  }
  if (kind == CallKind::query) return cudaSuccess;
  if (in_host_function()) return cudaErrorNotPermitted;
  if (runtime.sticky_error() != cudaSuccess) return runtime.sticky_error();
  if (runtime.capturing != 0) {
    if (const cudaError_t error = runtime.graphs->captures.check_call()) return error;
  }
  if (!runtime.fault_pending()) return cudaSuccess;
  if (kind == CallKind::enqueue) {
    skip = true;
    return cudaSuccess;
  }
  runtime.notice_fault();
  return runtime.sticky_error();
}

cudaError_t not_supported(const char* name, const char* detail) {
  complain_once(std::string(name) + " is not supported by the virtual GPU" + detail);
  return remember(cudaErrorNotSupported);
}

cudaError_t refused(const std::string& name, const std::string& reason, cudaError_t error) {
  complain_once(name + " refuses " + reason);
  return error;
}

int unsupported_call(const char* name) {
  const std::lock_guard guard(runtime_lock());
  return not_supported(name);
}

}  // namespace warpbook::simulator::runtime

// Streams and events, which are those of the runtime, and callbacks.
#include <thread>

#include "common/simulator/driver/driver_call.h"
#include "common/simulator/runtime/host_function.h"
#include "common/simulator/runtime/later.h"

namespace {

using namespace warpbook::simulator::driver;
using warpbook::simulator::runtime::HostFunctionScope;

/// Records what the current context owns.
template <class Handle>
CUresult keep(CUresult error, std::set<void*> Context::*owned, Handle* handle) {
  if (error == CUDA_SUCCESS) (current_context()->*owned).insert(*handle);
  return error;
}

/// Runs @p function as CUDA does: on a thread of its own, which must not call the API, once everything submitted to the
/// stream so far has finished. Here that is now. The driver does not hold the caller's locks meanwhile.
/// @param is_silent the program cannot tell that it ran
template <class Function>
CUresult run_on_own_thread(CUstream stream, bool is_silent, Function function) {
  const CUresult error = forward([&] {
    if (is_silent) return warpbook::simulator::runtime::take_turn_in_stream(stream);
    return cudaLaunchHostFunc(
        stream, [](void*) {}, nullptr);
  });
  if (error != CUDA_SUCCESS) return error;
  const Runtime* device = Runtime::existing();
  const CUresult status = device != nullptr && device->fault_pending() ? CUDA_ERROR_LAUNCH_FAILED : CUDA_SUCCESS;
  std::thread([&] {
    const HostFunctionScope scope;
    function(status);
  }).join();
  return CUDA_SUCCESS;
}

}  // namespace

CUresult cuStreamCreate(CUstream* stream, unsigned flags) {
  return keep(forward([&] { return cudaStreamCreateWithFlags(stream, flags); }), &Context::streams, stream);
}

CUresult cuStreamCreateWithPriority(CUstream* stream, unsigned flags, int priority) {
  return keep(forward([&] { return cudaStreamCreateWithPriority(stream, flags, priority); }), &Context::streams,
              stream);
}

CUresult cuStreamDestroy_v2(CUstream stream) {
  return forward([&]() -> CUresult {
    const cudaError_t error = cudaStreamDestroy(stream);
    Context* const owner = owner_of(stream);
    if (error == cudaSuccess) (owner == nullptr ? current_context() : owner)->streams.erase(stream);
    return result_of(error);
  });
}

CUresult cuStreamGetPriority(CUstream stream, int* priority) {
  return forward([&] { return cudaStreamGetPriority(stream, priority); });
}

CUresult cuStreamGetFlags(CUstream stream, unsigned* flags) {
  return forward([&] { return cudaStreamGetFlags(stream, flags); });
}

CUresult cuStreamGetId(CUstream stream, unsigned long long* id) {
  return forward([&] { return cudaStreamGetId(stream, id); });
}

CUresult cuStreamGetDevice(CUstream stream, CUdevice* device) {
  return forward([&] { return cudaStreamGetDevice(stream, device); });
}

CUresult cuStreamGetCtx(CUstream stream, CUcontext* context) {
  return forward([&]() -> CUresult {
    unsigned flags = 0;
    if (context == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (const cudaError_t error = cudaStreamGetFlags(stream, &flags)) return result_of(error);
    Context* const owner = owner_of(stream);
    *context = reinterpret_cast<CUcontext>(owner == nullptr ? current_context() : owner);
    return CUDA_SUCCESS;
  });
}

// The attributes of both APIs have the same numbers and the same layout.
static_assert(sizeof(CUstreamAttrValue) == sizeof(cudaStreamAttrValue));

CUresult cuStreamGetAttribute(CUstream stream, CUstreamAttrID attribute, CUstreamAttrValue* value) {
  return forward([&] {
    return cudaStreamGetAttribute(stream, static_cast<cudaStreamAttrID>(attribute),
                                  reinterpret_cast<cudaStreamAttrValue*>(value));
  });
}

CUresult cuStreamSetAttribute(CUstream stream, CUstreamAttrID attribute, const CUstreamAttrValue* value) {
  return forward([&] {
    return cudaStreamSetAttribute(stream, static_cast<cudaStreamAttrID>(attribute),
                                  reinterpret_cast<const cudaStreamAttrValue*>(value));
  });
}

CUresult cuStreamCopyAttributes(CUstream to, CUstream from) {
  return forward([&] { return cudaStreamCopyAttributes(to, from); });
}

CUresult cuStreamSynchronize(CUstream stream) {
  return forward([&] { return cudaStreamSynchronize(stream); });
}

CUresult cuStreamQuery(CUstream stream) {
  return forward([&] { return cudaStreamQuery(stream); });
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
  return forward([&] { return cudaStreamWaitEvent(stream, event, flags); });
}

CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void* user_data, unsigned flags) {
  if (callback == nullptr || flags != 0) return CUDA_ERROR_INVALID_VALUE;
  const bool is_silent = warpbook::simulator::runtime::is_of_libgomp(reinterpret_cast<const void*>(callback));
  if (warpbook::simulator::runtime::comes_later(stream, is_silent))
    return forward([&] {
      return cudaStreamAddCallback(stream, reinterpret_cast<cudaStreamCallback_t>(callback), user_data, flags);
    });
  return run_on_own_thread(stream, is_silent, [&](CUresult status) { callback(stream, status, user_data); });
}

CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void* user_data) {
  if (function == nullptr) return CUDA_ERROR_INVALID_VALUE;
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  if (const CUresult error = cuStreamIsCapturing(stream, &status)) return error;
  if (status != CU_STREAM_CAPTURE_STATUS_NONE || warpbook::simulator::runtime::comes_later(stream))
    return forward([&] { return cudaLaunchHostFunc(stream, function, user_data); });
  return run_on_own_thread(stream, false, [&](CUresult) { function(user_data); });
}

CUresult cuEventCreate(CUevent* event, unsigned flags) {
  return keep(forward([&] { return cudaEventCreateWithFlags(event, flags); }), &Context::events, event);
}

CUresult cuEventDestroy_v2(CUevent event) {
  const CUresult error = forward([&] { return cudaEventDestroy(event); });
  if (error == CUDA_SUCCESS) current_context()->events.erase(event);
  return error;
}

CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned flags) {
  return forward([&] { return cudaEventRecordWithFlags(event, stream, flags); });
}

CUresult cuEventRecord(CUevent event, CUstream stream) { return cuEventRecordWithFlags(event, stream, 0); }

CUresult cuEventQuery(CUevent event) {
  return forward([&] { return cudaEventQuery(event); });
}

CUresult cuEventSynchronize(CUevent event) {
  return forward([&] { return cudaEventSynchronize(event); });
}

CUresult cuEventElapsedTime_v2(float* milliseconds, CUevent start, CUevent end) {
  return forward([&] { return cudaEventElapsedTime(milliseconds, start, end); });
}

CUresult cuEventElapsedTime(float* milliseconds, CUevent start, CUevent end) {
  return cuEventElapsedTime_v2(milliseconds, start, end);
}

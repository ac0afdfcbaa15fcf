// Contexts: creating them, each thread's stack of them, their limits.
#include "common/simulator/driver/driver_call.h"
#include "common/simulator/runtime/about_device.h"
#include "common/simulator/runtime/cuda_api.h"
#include "common/simulator/runtime/peer_access.h"

// The driver calls for bank sizes are deprecated.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace {

using namespace warpbook::simulator::driver;

constexpr unsigned kApiVersion = 3020;

/// A call that names a device.
template <class Body>
CUresult about_named_device(CUdevice device, Body body) {
  return forward(
      [&]() -> CUresult {
        return warpbook::simulator::runtime::is_device(Runtime::instance(), device) ? result_of(body())
                                                                                    : CUDA_ERROR_INVALID_DEVICE;
      },
      Needs::initialised);
}

CUresult current_limit(CUlimit limit, cudaLimit& out) {
  if (limit < CU_LIMIT_STACK_SIZE || limit >= CU_LIMIT_MAX) return CUDA_ERROR_INVALID_VALUE;
  if (limit > CU_LIMIT_PERSISTING_L2_CACHE_SIZE) return CUDA_ERROR_UNSUPPORTED_LIMIT;
  out = static_cast<cudaLimit>(limit);
  return CUDA_SUCCESS;
}

}  // namespace

CUresult cuCtxCreate_v2(CUcontext* handle, unsigned flags, CUdevice device) {
  return about_named_device(device, [&] {
    if (handle == nullptr) return CUDA_ERROR_INVALID_VALUE;
    Context& context = create_context(flags, static_cast<unsigned>(device));
    context_stack().push_back(&context);
    follow_context();
    *handle = reinterpret_cast<CUcontext>(&context);
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxCreate_v3(CUcontext* handle, CUexecAffinityParam*, int count, unsigned flags, CUdevice device) {
  if (count != 0) return CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY;
  return cuCtxCreate_v2(handle, flags, device);
}

CUresult cuCtxCreate_v4(CUcontext* handle, CUctxCreateParams* parameters, unsigned flags, CUdevice device) {
  if (parameters != nullptr && parameters->numExecAffinityParams != 0)
    return CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY;  // As an H200 without MPS answers (2026-11-24).
  if (parameters != nullptr && parameters->cigParams != nullptr)
    return warpbook::simulator::driver::not_supported("cuCtxCreate_v4", " with a context of another graphics API");
  return cuCtxCreate_v2(handle, flags, device);
}

CUresult cuCtxDestroy_v2(CUcontext handle) {
  return driver_call(
      CallKind::query, "cuCtxDestroy",
      [&](Runtime& device) {
        Context* context = find_context(handle);
        if (context == nullptr || context->primary) return CUDA_ERROR_INVALID_CONTEXT;
        destroy_context(device, *context);
        return CUDA_SUCCESS;
      },
      Needs::initialised);
}

CUresult cuCtxGetCurrent(CUcontext* handle) {
  return forward(
      [&] {
        if (handle == nullptr) return CUDA_ERROR_INVALID_VALUE;
        *handle = reinterpret_cast<CUcontext>(current_context());
        return CUDA_SUCCESS;
      },
      Needs::initialised);
}

CUresult cuCtxSetCurrent(CUcontext handle) {
  return forward(
      [&] {
        auto& stack = context_stack();
        Context* context = find_context(handle);
        if (handle != nullptr && context == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
        if (!stack.empty()) stack.pop_back();
        if (context != nullptr) stack.push_back(context);
        follow_context();
        return CUDA_SUCCESS;
      },
      Needs::initialised);
}

CUresult cuCtxPushCurrent_v2(CUcontext handle) {
  return forward(
      [&] {
        Context* context = find_context(handle);
        if (context == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
        context_stack().push_back(context);
        follow_context();
        return CUDA_SUCCESS;
      },
      Needs::initialised);
}

CUresult cuCtxPopCurrent_v2(CUcontext* handle) {
  return forward(
      [&] {
        auto& stack = context_stack();
        if (stack.empty()) return CUDA_ERROR_INVALID_CONTEXT;
        if (handle != nullptr) *handle = reinterpret_cast<CUcontext>(stack.back());
        stack.pop_back();
        follow_context();
        return CUDA_SUCCESS;
      },
      Needs::initialised);
}

CUresult cuCtxGetDevice(CUdevice* device) {
  // libgomp uses this error to detect that it is in a callback.
  if (warpbook::simulator::runtime::in_host_function()) return CUDA_ERROR_NOT_PERMITTED;
  return forward([&] {
    if (device == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *device = static_cast<CUdevice>(current_context()->device);
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxGetFlags(unsigned* flags) {
  return forward([&] {
    if (flags == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const Context& context = *current_context();
    const unsigned of_runtime = context.primary ? Runtime::instance().device_at(context.device).flags : 0;
    *flags = context.flags == 0 ? of_runtime : context.flags | (of_runtime & CU_CTX_MAP_HOST);
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxGetId(CUcontext handle, unsigned long long* id) {
  return forward([&] {
    const Context* context = handle == nullptr ? current_context() : find_context(handle);
    if (context == nullptr || id == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *id = context->id;
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxGetApiVersion(CUcontext handle, unsigned* version) {
  return forward([&] {
    if (version == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (handle != nullptr && find_context(handle) == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
    *version = kApiVersion;
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxSynchronize() {
  return forward([] { return cudaDeviceSynchronize(); });
}

CUresult cuCtxGetLimit(size_t* value, CUlimit limit) {
  return forward([&]() -> CUresult {
    if (limit == CU_LIMIT_CIG_ENABLED && value != nullptr) {  // Shared with no graphics API.
      *value = 0;
      return CUDA_SUCCESS;
    }
    cudaLimit same;
    if (const CUresult error = current_limit(limit, same)) return error;
    return result_of(cudaDeviceGetLimit(value, same));
  });
}

CUresult cuCtxSetLimit(CUlimit limit, size_t value) {
  return forward([&]() -> CUresult {
    cudaLimit same;
    if (const CUresult error = current_limit(limit, same)) return error;
    return result_of(cudaDeviceSetLimit(same, value));
  });
}

CUresult cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  return forward([&] { return cudaDeviceGetStreamPriorityRange(least, greatest); });
}

CUresult cuCtxGetCacheConfig(CUfunc_cache* config) {
  return forward([&] { return cudaDeviceGetCacheConfig(reinterpret_cast<cudaFuncCache*>(config)); });
}

CUresult cuCtxSetCacheConfig(CUfunc_cache config) {
  return forward([&] { return cudaDeviceSetCacheConfig(static_cast<cudaFuncCache>(config)); });
}

CUresult cuCtxGetDevice_v2(CUdevice* device, CUcontext handle) {
  if (handle == nullptr) return cuCtxGetDevice(device);
  return forward(
      [&] {
        const Context* const context = find_context(handle);
        if (context == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
        if (device == nullptr) return CUDA_ERROR_INVALID_VALUE;
        *device = static_cast<CUdevice>(context->device);
        return CUDA_SUCCESS;
      },
      Needs::initialised);
}

CUresult cuCtxSynchronize_v2(CUcontext handle) {
  if (handle == nullptr) return cuCtxSynchronize();
  return forward(
      [&]() -> CUresult {
        const Context* const context = find_context(handle);
        if (context == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
        const unsigned before = warpbook::simulator::runtime::current_device();
        warpbook::simulator::runtime::set_current_device(context->device);
        const cudaError_t error = cudaDeviceSynchronize();
        warpbook::simulator::runtime::set_current_device(before);
        return result_of(error);
      },
      Needs::initialised);
}

CUresult cuCtxSetFlags(unsigned flags) {
  constexpr unsigned kKnown = CU_CTX_FLAGS_MASK;
  if ((flags & ~kKnown) != 0) return CUDA_ERROR_INVALID_VALUE;
  return forward([&] {
    current_context()->flags = flags;
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxAttach(CUcontext* handle, unsigned flags) {
  return forward([&] {
    if (handle == nullptr || flags != 0) return CUDA_ERROR_INVALID_VALUE;
    ++current_context()->users;
    *handle = reinterpret_cast<CUcontext>(current_context());
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxDetach(CUcontext handle) {
  Context* const context = find_context(handle);
  if (context == nullptr || context->primary) return CUDA_ERROR_INVALID_CONTEXT;
  if (context->users == 0) return cuCtxDestroy_v2(handle);
  --context->users;
  return CUDA_SUCCESS;
}

CUresult cuCtxResetPersistingL2Cache() {
  return forward([] { return cudaCtxResetPersistingL2Cache(); });
}

CUresult cuCtxGetSharedMemConfig(CUsharedconfig* config) {
  return forward([&] { return cudaDeviceGetSharedMemConfig(reinterpret_cast<cudaSharedMemConfig*>(config)); });
}

CUresult cuCtxSetSharedMemConfig(CUsharedconfig config) {
  return forward([&] { return cudaDeviceSetSharedMemConfig(static_cast<cudaSharedMemConfig>(config)); });
}

// Peer access is between devices: all contexts of a device have it.

CUresult cuCtxEnablePeerAccess(CUcontext handle, unsigned flags) {
  return driver_call(CallKind::ordinary, "cuCtxEnablePeerAccess", [&](Runtime& device) {
    if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
    const Context* const peer = find_context(handle);
    if (peer == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
    return result_of(warpbook::simulator::runtime::enable_peer_access(device, peer->device));
  });
}

CUresult cuCtxDisablePeerAccess(CUcontext handle) {
  return driver_call(CallKind::ordinary, "cuCtxDisablePeerAccess", [&](Runtime& device) {
    const Context* const peer = find_context(handle);
    if (peer == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
    return result_of(warpbook::simulator::runtime::disable_peer_access(device, peer->device));
  });
}

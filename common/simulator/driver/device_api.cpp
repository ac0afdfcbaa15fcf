// Initialisation, devices and contexts.
#include <algorithm>
#include <cstdio>
#include <cstring>

#include "common/simulator/driver/driver_call.h"

namespace {

using namespace warpbook::simulator::driver;

constexpr int kVersion = 13000;
constexpr unsigned kApiVersion = 3020;

/// A call about device 0, the only one.
template <class Body>
CUresult about_device(CUdevice device, Body body) {
  return forward([&]() -> CUresult { return device == 0 ? result_of(body()) : CUDA_ERROR_INVALID_DEVICE; },
                 Needs::initialised);
}

CUresult current_limit(CUlimit limit, cudaLimit& out) {
  if (limit < CU_LIMIT_STACK_SIZE || limit > CU_LIMIT_PERSISTING_L2_CACHE_SIZE) return CUDA_ERROR_UNSUPPORTED_LIMIT;
  out = static_cast<cudaLimit>(limit);
  return CUDA_SUCCESS;
}

}  // namespace

// ---- The process

CUresult cuInit(unsigned flags) {
  if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
  return driver_call(
      CallKind::query, "cuInit",
      [](Runtime&) {
        initialised() = true;
        return CUDA_SUCCESS;
      },
      Needs::nothing);
}

CUresult cuDriverGetVersion(int* version) {
  if (version == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *version = kVersion;
  return CUDA_SUCCESS;
}

// ---- Devices

CUresult cuDeviceGetCount(int* count) {
  return forward([&] { return cudaGetDeviceCount(count); }, Needs::initialised);
}

CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  return about_device(ordinal, [&] {
    if (device == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *device = 0;
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
  return about_device(device,
                      [&] { return cudaDeviceGetAttribute(value, static_cast<cudaDeviceAttr>(attribute), device); });
}

CUresult cuDeviceGetName(char* name, int length, CUdevice device) {
  return about_device(device, [&] {
    if (name == nullptr || length <= 0) return CUDA_ERROR_INVALID_VALUE;
    std::snprintf(name, static_cast<std::size_t>(length), "%s", Runtime::instance().device.display_name.c_str());
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceGetUuid_v2(CUuuid* uuid, CUdevice device) {
  return about_device(device, [&] {
    if (uuid == nullptr) return cudaErrorInvalidValue;
    cudaDeviceProp properties;
    const cudaError_t error = cudaGetDeviceProperties(&properties, device);
    if (error == cudaSuccess) std::memcpy(uuid->bytes, properties.uuid.bytes, sizeof uuid->bytes);
    return error;
  });
}

CUresult cuDeviceTotalMem_v2(size_t* bytes, CUdevice device) {
  return about_device(device, [&] {
    if (bytes == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *bytes = Runtime::instance().memory.capacity();
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device) {
  return about_device(device, [&] {
    if (major == nullptr || minor == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *major = static_cast<int>(Runtime::instance().device.compute_major);
    *minor = static_cast<int>(Runtime::instance().device.compute_minor);
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceGetPCIBusId(char* text, int length, CUdevice device) {
  return about_device(device, [&] { return cudaDeviceGetPCIBusId(text, length, device); });
}

CUresult cuDeviceCanAccessPeer(int* possible, CUdevice device, CUdevice peer) {
  return about_device(device, [&] {
    if (possible == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (peer != 0) return CUDA_ERROR_INVALID_DEVICE;
    *possible = 0;
    return CUDA_SUCCESS;
  });
}

// ---- The primary context

CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  return about_device(device, [&] {
    if (context == nullptr) return CUDA_ERROR_INVALID_VALUE;
    ++primary_context().users;
    *context = reinterpret_cast<CUcontext>(&primary_context());
    return CUDA_SUCCESS;
  });
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  return about_device(device, [&] {
    if (primary_context().users == 0) return CUDA_ERROR_INVALID_CONTEXT;
    if (--primary_context().users == 0) destroy_context(Runtime::instance(), primary_context());
    return CUDA_SUCCESS;
  });
}

CUresult cuDevicePrimaryCtxReset_v2(CUdevice device) {
  return about_device(device, [&] {
    destroy_context(Runtime::instance(), primary_context());
    return CUDA_SUCCESS;
  });
}

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned* flags, int* active) {
  return about_device(device, [&] {
    if (flags == nullptr || active == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *flags = primary_context().flags;
    *active = primary_context().users != 0 || Runtime::instance().primary_context;
    return CUDA_SUCCESS;
  });
}

CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice device, unsigned flags) {
  return about_device(device, [&] {
    primary_context().flags = flags;
    return CUDA_SUCCESS;
  });
}

// ---- Contexts

CUresult cuCtxCreate_v2(CUcontext* handle, unsigned flags, CUdevice device) {
  return about_device(device, [&] {
    if (handle == nullptr) return CUDA_ERROR_INVALID_VALUE;
    Context& context = create_context(flags);
    context_stack().push_back(&context);
    *handle = reinterpret_cast<CUcontext>(&context);
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxCreate_v4(CUcontext* handle, CUctxCreateParams* parameters, unsigned flags, CUdevice device) {
  if (parameters != nullptr) return warpbook::simulator::driver::not_supported("cuCtxCreate_v4", " with parameters");
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
        return CUDA_SUCCESS;
      },
      Needs::initialised);
}

CUresult cuCtxGetDevice(CUdevice* device) {
  // libgomp tells by this answer that it is in a callback.
  if (warpbook::simulator::runtime::in_host_function()) return CUDA_ERROR_NOT_PERMITTED;
  return forward([&] {
    if (device == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *device = 0;
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxGetFlags(unsigned* flags) {
  return forward([&] {
    if (flags == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *flags = current_context()->flags;
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

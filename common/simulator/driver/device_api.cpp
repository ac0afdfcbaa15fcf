// Initialisation, devices and their primary contexts.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <iterator>

#include "common/simulator/driver/driver_call.h"
#include "common/simulator/runtime/about_device.h"

namespace {

using namespace warpbook::simulator::driver;

constexpr int kVersion = 13000;

/// A call that names a device.
template <class Body>
CUresult about_device(CUdevice device, Body body) {
  return forward(
      [&]() -> CUresult {
        return warpbook::simulator::runtime::is_device(Runtime::instance(), device) ? result_of(body())
                                                                                    : CUDA_ERROR_INVALID_DEVICE;
      },
      Needs::initialised);
}

const warpbook::simulator::Device& description_of(CUdevice device) {
  return Runtime::instance().device_at(static_cast<unsigned>(device)).description;
}

Context& primary_context_of(CUdevice device) { return primary_context(static_cast<unsigned>(device)); }

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
    *device = ordinal;
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
    std::snprintf(name, static_cast<std::size_t>(length), "%s", description_of(device).display_name.c_str());
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
    *bytes = description_of(device).total_memory;
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device) {
  return about_device(device, [&] {
    if (major == nullptr || minor == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *major = static_cast<int>(description_of(device).compute_major);
    *minor = static_cast<int>(description_of(device).compute_minor);
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceGetPCIBusId(char* text, int length, CUdevice device) {
  return about_device(device, [&] { return cudaDeviceGetPCIBusId(text, length, device); });
}

CUresult cuDeviceCanAccessPeer(int* possible, CUdevice device, CUdevice peer) {
  return about_device(device, [&] {
    if (possible == nullptr) return CUDA_ERROR_INVALID_VALUE;
    return result_of(cudaDeviceCanAccessPeer(possible, device, peer));
  });
}

// ---- The primary context

CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  return about_device(device, [&] {
    if (context == nullptr) return CUDA_ERROR_INVALID_VALUE;
    ++primary_context_of(device).users;
    *context = reinterpret_cast<CUcontext>(&primary_context_of(device));
    return CUDA_SUCCESS;
  });
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  return about_device(device, [&] {
    if (primary_context_of(device).users == 0) return CUDA_ERROR_INVALID_CONTEXT;
    if (--primary_context_of(device).users == 0) destroy_context(Runtime::instance(), primary_context_of(device));
    return CUDA_SUCCESS;
  });
}

CUresult cuDevicePrimaryCtxReset_v2(CUdevice device) {
  return about_device(device, [&] {
    destroy_context(Runtime::instance(), primary_context_of(device));
    return CUDA_SUCCESS;
  });
}

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned* flags, int* active) {
  return about_device(device, [&] {
    if (flags == nullptr || active == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const unsigned of_runtime = Runtime::instance().device_at(static_cast<unsigned>(device)).flags;
    // As the runtime set them, whatever cuCtxSetFlags has changed since.
    *flags = of_runtime != 0 ? of_runtime & ~unsigned{CU_CTX_MAP_HOST} : primary_context_of(device).flags;
    *active = primary_context_of(device).users != 0 ||
              Runtime::instance().device_at(static_cast<unsigned>(device)).primary_context;
    return CUDA_SUCCESS;
  });
}

CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice device, unsigned flags) {
  return about_device(device, [&] {
    const unsigned schedule = flags & CU_CTX_SCHED_MASK;
    if ((flags & ~unsigned{CU_CTX_FLAGS_MASK}) != 0 || (schedule & (schedule - 1)) != 0)
      return CUDA_ERROR_INVALID_VALUE;
    primary_context_of(device).flags = flags;
    return CUDA_SUCCESS;
  });
}

// ---- Less common queries

CUresult cuDeviceGetByPCIBusId(CUdevice* device, const char* text) {
  return forward([&] { return cudaDeviceGetByPCIBusId(device, text); }, Needs::initialised);
}

CUresult cuDeviceGetProperties(CUdevprop* properties, CUdevice device) {
  return about_device(device, [&] {
    if (properties == nullptr) return cudaErrorInvalidValue;
    cudaDeviceProp all;
    if (const cudaError_t error = cudaGetDeviceProperties(&all, device)) return error;
    properties->maxThreadsPerBlock = all.maxThreadsPerBlock;
    std::copy(std::begin(all.maxThreadsDim), std::end(all.maxThreadsDim), properties->maxThreadsDim);
    std::copy(std::begin(all.maxGridSize), std::end(all.maxGridSize), properties->maxGridSize);
    properties->sharedMemPerBlock = static_cast<int>(all.sharedMemPerBlock);
    properties->totalConstantMemory = static_cast<int>(all.totalConstMem);
    properties->SIMDWidth = all.warpSize;
    properties->memPitch = static_cast<int>(all.memPitch);
    properties->regsPerBlock = all.regsPerBlock;
    cudaDeviceGetAttribute(&properties->clockRate, cudaDevAttrClockRate, device);
    properties->textureAlign = static_cast<int>(all.textureAlignment);
    return cudaSuccess;
  });
}

CUresult cuDeviceGetP2PAttribute(int* value, CUdevice_P2PAttribute attribute, CUdevice from, CUdevice to) {
  return forward([&] { return cudaDeviceGetP2PAttribute(value, static_cast<cudaDeviceP2PAttr>(attribute), from, to); },
                 Needs::initialised);
}

CUresult cuDeviceGetExecAffinitySupport(int* supported, CUexecAffinityType type, CUdevice device) {
  return about_device(device, [&] {
    if (supported == nullptr || type != CU_EXEC_AFFINITY_TYPE_SM_COUNT) return CUDA_ERROR_INVALID_VALUE;
    *supported = 0;  // Only under MPS.
    return CUDA_SUCCESS;
  });
}

CUresult cuProfilerStart() {
  return forward([] { return cudaProfilerStart(); });
}

CUresult cuProfilerStop() {
  return forward([] { return cudaProfilerStop(); });
}

// Devices: choosing one, asking about it, its limits, synchronising and resetting it.
#include <cstdio>
#include <cstring>

#include "common/simulator/runtime/call.h"
#include "common/simulator/runtime/check_report.h"
#include "common/simulator/runtime/cuda_api.h"
#include "common/simulator/runtime/device_properties.h"
#include "common/simulator/runtime/graph_state.h"

namespace {

using namespace warpbook::simulator::runtime;

constexpr int kVersion = 13000;
/// A thread's stack cannot be larger on an H200.
constexpr std::size_t kMaxStackBytes = 512 * 1024;
constexpr std::uint64_t kFewestPendingLaunches = 32;  ///< What an H200 makes of less.

std::uint64_t* limit_of(Runtime& runtime, cudaLimit limit) {
  switch (limit) {
    case cudaLimitStackSize:
      return &runtime.limits.stack;
    case cudaLimitPrintfFifoSize:
      return &runtime.limits.printf;
    case cudaLimitMallocHeapSize:
      return &runtime.limits.heap;
    case cudaLimitDevRuntimePendingLaunchCount:
      return &runtime.limits.pending_launches;
    case cudaLimitMaxL2FetchGranularity:
      return &runtime.limits.fetch_granularity;
    case cudaLimitPersistingL2CacheSize:
      return &runtime.limits.persisting_l2;
    default:
      return nullptr;
  }
}

}  // namespace

cudaError_t cudaDriverGetVersion(int* version) {
  if (version == nullptr) return remember(cudaErrorInvalidValue);
  *version = kVersion;
  return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int* version) {
  if (version == nullptr) return remember(cudaErrorInvalidValue);
  *version = kVersion;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceCount(int* count) {
  return call(CallKind::query, "cudaGetDeviceCount", [&](Runtime&) {
    if (count == nullptr) return cudaErrorInvalidValue;
    *count = 1;
    return cudaSuccess;
  });
}

cudaError_t cudaGetDevice(int* device) {
  return call(CallKind::query, "cudaGetDevice", [&](Runtime&) {
    if (device == nullptr) return cudaErrorInvalidValue;
    *device = 0;
    return cudaSuccess;
  });
}

cudaError_t cudaSetDevice(int device) {
  return call(CallKind::query, "cudaSetDevice", [&](Runtime& runtime) {
    if (device != 0) return cudaErrorInvalidDevice;
    runtime.primary_context = true;  // From CUDA 12 on.
    return cudaSuccess;
  });
}

cudaError_t cudaInitDevice(int device, unsigned, unsigned) {
  return call(CallKind::ordinary, "cudaInitDevice",
              [&](Runtime&) { return device == 0 ? cudaSuccess : cudaErrorInvalidDevice; });
}

cudaError_t cudaSetValidDevices(int* devices, int count) {
  return call(CallKind::query, "cudaSetValidDevices", [&](Runtime&) {
    for (int i = 0; i < count; ++i) {
      if (devices == nullptr || devices[i] != 0) return cudaErrorInvalidDevice;
    }
    return cudaSuccess;
  });
}

cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* properties) {
  return call(CallKind::query, "cudaChooseDevice", [&](Runtime&) {
    if (device == nullptr || properties == nullptr) return cudaErrorInvalidValue;
    *device = 0;
    return cudaSuccess;
  });
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  return call(CallKind::query, "cudaGetDeviceProperties", [&](Runtime& runtime) {
    if (properties == nullptr) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
    *properties = device_properties(runtime.device);
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  return call(CallKind::query, "cudaDeviceGetAttribute", [&](Runtime& runtime) {
    if (value == nullptr) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
    const auto answer = device_attribute(runtime.device, attribute);
    if (!answer) return cudaErrorInvalidValue;
    *value = *answer;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int device) {
  return call(CallKind::ordinary, "cudaDeviceGetPCIBusId", [&](Runtime& runtime) {
    if (device != 0) return cudaErrorInvalidDevice;
    const std::string id = pci_bus_id(runtime.device);
    if (text == nullptr || length <= static_cast<int>(id.size())) return cudaErrorInvalidValue;
    std::snprintf(text, static_cast<std::size_t>(length), "%s", id.c_str());
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* text) {
  return call(CallKind::ordinary, "cudaDeviceGetByPCIBusId", [&](Runtime& runtime) {
    if (device == nullptr || text == nullptr) return cudaErrorInvalidValue;
    if (pci_bus_id(runtime.device) != text) return cudaErrorInvalidDevice;
    *device = 0;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceSynchronize() {
  return call(CallKind::ordinary, "cudaDeviceSynchronize", [](Runtime& runtime) {
    if (runtime.capturing != 0) {
      if (const cudaError_t error = runtime.graphs->captures.synchronise_all()) return error;
    }
    return runtime.wait_for_all();
  });
}

cudaError_t cudaDeviceReset() {
  const cudaError_t error = call(CallKind::query, "cudaDeviceReset", [](Runtime& runtime) {
    const bool failed_before = runtime.sticky_error() != cudaSuccess;
    const cudaError_t error = runtime.wait_for_all();
    if (!failed_before) add_unnoticed_fault(runtime, error);
    runtime.reset();
    return cudaSuccess;
  });
  forget_last_error();
  return error;
}

cudaError_t cudaSetDeviceFlags(unsigned flags) {
  return call(CallKind::ordinary, "cudaSetDeviceFlags", [&](Runtime& runtime) {
    constexpr unsigned kKnown =
        cudaDeviceScheduleMask | cudaDeviceMapHost | cudaDeviceLmemResizeToMax | cudaDeviceSyncMemops;
    if ((flags & ~kKnown) != 0) return cudaErrorInvalidValue;
    runtime.flags = flags | cudaDeviceMapHost;
    return cudaSuccess;
  });
}

cudaError_t cudaGetDeviceFlags(unsigned* flags) {
  return call(CallKind::ordinary, "cudaGetDeviceFlags", [&](Runtime& runtime) {
    if (flags == nullptr) return cudaErrorInvalidValue;
    *flags = runtime.flags;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  return call(CallKind::ordinary, "cudaDeviceSetLimit", [&](Runtime& runtime) {
    if (limit == cudaLimitDevRuntimeSyncDepth) return cudaErrorUnsupportedLimit;
    std::uint64_t* kept = limit_of(runtime, limit);
    if (kept == nullptr) return cudaErrorInvalidValue;
    if (limit == cudaLimitStackSize && value > kMaxStackBytes) return cudaErrorInvalidValue;
    if (limit == cudaLimitMallocHeapSize && runtime.heap) return cudaErrorInvalidValue;
    *kept = value;
    ++runtime.limits.times_set;
    if (limit == cudaLimitDevRuntimePendingLaunchCount && value < kFewestPendingLaunches)
      *kept = kFewestPendingLaunches;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  return call(CallKind::ordinary, "cudaDeviceGetLimit", [&](Runtime& runtime) {
    if (value == nullptr) return cudaErrorInvalidValue;
    if (limit == cudaLimitDevRuntimeSyncDepth) return cudaErrorUnsupportedLimit;
    const std::uint64_t* kept = limit_of(runtime, limit);
    if (kept == nullptr) return cudaErrorInvalidValue;
    *value = *kept;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  return call(CallKind::ordinary, "cudaDeviceGetCacheConfig", [&](Runtime& runtime) {
    if (config == nullptr) return cudaErrorInvalidValue;
    *config = static_cast<cudaFuncCache>(runtime.cache_config);
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config) {
  return call(CallKind::ordinary, "cudaDeviceSetCacheConfig", [&](Runtime& runtime) {
    if (config < cudaFuncCachePreferNone || config > cudaFuncCachePreferEqual) return cudaErrorInvalidValue;
    runtime.cache_config = config;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  return call(CallKind::ordinary, "cudaDeviceGetSharedMemConfig", [&](Runtime&) {
    if (config == nullptr) return cudaErrorInvalidValue;
    *config = cudaSharedMemBankSizeFourByte;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) {
  return call(CallKind::ordinary, "cudaDeviceSetSharedMemConfig", [](Runtime&) { return cudaSuccess; });
}

cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  return call(CallKind::ordinary, "cudaDeviceCanAccessPeer", [&](Runtime&) {
    if (can == nullptr) return cudaErrorInvalidValue;
    if (device != 0 || peer != 0) return cudaErrorInvalidDevice;
    *can = 0;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
  return call(CallKind::ordinary, "cudaDeviceEnablePeerAccess", [&](Runtime&) {
    if (flags != 0) return cudaErrorInvalidValue;
    return peer == 0 ? cudaErrorPeerAccessUnsupported : cudaErrorInvalidDevice;
  });
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  return call(CallKind::ordinary, "cudaDeviceDisablePeerAccess",
              [&](Runtime&) { return peer == 0 ? cudaErrorPeerAccessNotEnabled : cudaErrorInvalidDevice; });
}

cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr, int from, int to) {
  return call(CallKind::ordinary, "cudaDeviceGetP2PAttribute", [&](Runtime&) {
    if (value == nullptr) return cudaErrorInvalidValue;
    return from != 0 || to != 0 || from == to ? cudaErrorInvalidDevice : cudaSuccess;
  });
}

cudaError_t cudaCtxResetPersistingL2Cache() {
  return call(CallKind::ordinary, "cudaCtxResetPersistingL2Cache", [](Runtime&) { return cudaSuccess; });
}

cudaError_t cudaProfilerStart() {
  return call(CallKind::ordinary, "cudaProfilerStart", [](Runtime& runtime) {
    runtime.filter.collect(true);
    return cudaSuccess;
  });
}

cudaError_t cudaProfilerStop() {
  return call(CallKind::ordinary, "cudaProfilerStop", [](Runtime& runtime) {
    runtime.filter.collect(false);
    return cudaSuccess;
  });
}

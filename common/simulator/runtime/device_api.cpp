// Devices: selection, queries, limits, synchronisation and reset.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "common/simulator/runtime/about_device.h"
#include "common/simulator/runtime/call.h"
#include "common/simulator/runtime/check_report.h"
#include "common/simulator/runtime/cuda_api.h"
#include "common/simulator/runtime/device_properties.h"
#include "common/simulator/runtime/graph_state.h"
#include "common/simulator/runtime/memory_api.h"

namespace {

using namespace warpbook::simulator::runtime;

constexpr int kVersion = 13000;
constexpr unsigned kDeviceFlags =
    cudaDeviceScheduleMask | cudaDeviceMapHost | cudaDeviceLmemResizeToMax | cudaDeviceSyncMemops;
/// A thread's stack cannot be larger on an H200.
constexpr std::size_t kMaxStackBytes = 512 * 1024;
constexpr std::size_t kMaxFetchGranularity = 128;
constexpr std::uint64_t kFewestPendingLaunches = 32;  ///< An H200 raises smaller values to this.

std::uint64_t* limit_of(Runtime& runtime, cudaLimit limit) {
  switch (limit) {
    case cudaLimitStackSize:
      return &runtime.here().limits.stack;
    case cudaLimitPrintfFifoSize:
      return &runtime.here().limits.printf;
    case cudaLimitMallocHeapSize:
      return &runtime.here().limits.heap;
    case cudaLimitDevRuntimePendingLaunchCount:
      return &runtime.here().limits.pending_launches;
    case cudaLimitMaxL2FetchGranularity:
      return &runtime.here().limits.fetch_granularity;
    case cudaLimitPersistingL2CacheSize:
      return &runtime.here().limits.persisting_l2;
    default:
      return nullptr;
  }
}

/// The device that best matches @p wanted: at least its compute capability, then SMs and memory; the first one among
/// equals.
int best_match(const Runtime& runtime, const cudaDeviceProp& wanted) {
  int best = 0, best_score = -1;
  for (unsigned number = 0; number < runtime.device_count(); ++number) {
    const cudaDeviceProp has = device_properties(runtime.device_at(number).description);
    const bool capable = has.major > wanted.major || (has.major == wanted.major && has.minor >= wanted.minor);
    const int score = (capable ? 4 : 0) + (has.multiProcessorCount >= wanted.multiProcessorCount ? 2 : 0) +
                      (has.totalGlobalMem >= wanted.totalGlobalMem ? 1 : 0);
    if (score <= best_score) continue;
    best = static_cast<int>(number);
    best_score = score;
  }
  return best;
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
  return call(CallKind::query, "cudaGetDeviceCount", [&](Runtime& runtime) {
    if (count == nullptr) return cudaErrorInvalidValue;
    *count = static_cast<int>(runtime.device_count());
    return cudaSuccess;
  });
}

cudaError_t cudaGetDevice(int* device) {
  return call(CallKind::query, "cudaGetDevice", [&](Runtime& runtime) {
    if (device == nullptr) return cudaErrorInvalidValue;
    *device = static_cast<int>(runtime.here().number);
    return cudaSuccess;
  });
}

cudaError_t cudaSetDevice(int device) {
  return call(CallKind::query, "cudaSetDevice", [&](Runtime& runtime) {
    if (!is_device(runtime, device)) return cudaErrorInvalidDevice;
    set_current_device(static_cast<unsigned>(device));
    runtime.device_at(current_device()).primary_context = true;  // From CUDA 12 on.
    device_was_set();
    return cudaSuccess;
  });
}

cudaError_t cudaInitDevice(int device, unsigned device_flags, unsigned flags) {
  if ((flags & cudaInitDeviceFlagsAreValid) != 0 && (device_flags & ~kDeviceFlags) != 0)
    return remember(cudaErrorInvalidValue);
  return about_device("cudaInitDevice", CallKind::ordinary, device, [&](Runtime& runtime, VirtualDevice& wanted) {
    VirtualDevice& device_now = runtime.device_at(wanted.number);
    device_now.primary_context = true;
    if ((flags & cudaInitDeviceFlagsAreValid) != 0) device_now.flags = device_flags | cudaDeviceMapHost;
    return cudaSuccess;
  });
}

cudaError_t cudaSetValidDevices(int* devices, int count) {
  return call(CallKind::query, "cudaSetValidDevices", [&](Runtime& runtime) {
    std::vector<unsigned> wanted;
    for (int i = 0; i < count; ++i) {
      if (devices == nullptr) return cudaErrorInvalidValue;
      if (!is_device(runtime, devices[i])) return cudaErrorInvalidDevice;
      const auto device = static_cast<unsigned>(devices[i]);
      if (std::find(wanted.begin(), wanted.end(), device) != wanted.end()) return cudaErrorInvalidValue;
      wanted.push_back(device);
    }
    // The first device in the list is used by a thread that selects none.
    if (!wanted.empty() && !runtime.here().primary_context) set_current_device(wanted.front());
    return cudaSuccess;
  });
}

cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* properties) {
  return call(CallKind::query, "cudaChooseDevice", [&](Runtime& runtime) {
    if (device == nullptr || properties == nullptr) return cudaErrorInvalidValue;
    *device = best_match(runtime, *properties);
    return cudaSuccess;
  });
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  if (properties == nullptr) return remember(cudaErrorInvalidValue);
  return about_device("cudaGetDeviceProperties", CallKind::query, device, [&](Runtime&, VirtualDevice& wanted) {
    *properties = device_properties(wanted.description);
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  if (value == nullptr) return remember(cudaErrorInvalidValue);
  return about_device("cudaDeviceGetAttribute", CallKind::query, device, [&](Runtime&, VirtualDevice& wanted) {
    const auto answer = device_attribute(wanted.description, attribute);
    if (!answer) return cudaErrorInvalidValue;
    *value = *answer;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int device) {
  return about_device("cudaDeviceGetPCIBusId", CallKind::ordinary, device, [&](Runtime&, VirtualDevice& wanted) {
    const std::string id = pci_bus_id(wanted.description);
    if (text == nullptr || length <= static_cast<int>(id.size())) return cudaErrorInvalidValue;
    std::snprintf(text, static_cast<std::size_t>(length), "%s", id.c_str());
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* text) {
  return call(CallKind::ordinary, "cudaDeviceGetByPCIBusId", [&](Runtime& runtime) {
    unsigned domain = 0, bus = 0, number_there = 0, function = 0;
    if (device == nullptr || text == nullptr) return cudaErrorInvalidValue;
    const bool is_id = std::sscanf(text, "%x:%x:%x.%x", &domain, &bus, &number_there, &function) == 4 ||
                       std::sscanf(text, "%x:%x:%x", &domain, &bus, &number_there) == 3 ||
                       std::sscanf(text, "%x:%x.%x", &bus, &number_there, &function) == 3;
    if (!is_id) return cudaErrorInvalidValue;
    for (unsigned number = 0; number < runtime.device_count(); ++number) {
      if (pci_bus_id(runtime.device_at(number).description) != text) continue;
      *device = static_cast<int>(number);
      return cudaSuccess;
    }
    return cudaErrorInvalidDevice;
  });
}

cudaError_t cudaDeviceSynchronize() {
  return call(CallKind::ordinary, "cudaDeviceSynchronize", [](Runtime& runtime) {
    if (runtime.capturing != 0) {
      if (const cudaError_t error = runtime.graphs->captures.synchronise_all()) return error;
    }
    const cudaError_t error = runtime.wait_for_all();
    settle_pools(runtime);
    return error;
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
    if ((flags & ~kDeviceFlags) != 0) return cudaErrorInvalidValue;
    runtime.here().flags = flags | cudaDeviceMapHost;
    return cudaSuccess;
  });
}

cudaError_t cudaGetDeviceFlags(unsigned* flags) {
  return call(CallKind::ordinary, "cudaGetDeviceFlags", [&](Runtime& runtime) {
    if (flags == nullptr) return cudaErrorInvalidValue;
    *flags = runtime.here().flags;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  return call(CallKind::ordinary, "cudaDeviceSetLimit", [&](Runtime& runtime) {
    if (limit == cudaLimitDevRuntimeSyncDepth) return cudaErrorUnsupportedLimit;
    std::uint64_t* kept = limit_of(runtime, limit);
    if (kept == nullptr) return cudaErrorInvalidValue;
    if (limit == cudaLimitStackSize && value > kMaxStackBytes) return cudaErrorInvalidValue;
    if (limit == cudaLimitMallocHeapSize && runtime.here().heap) return cudaErrorInvalidValue;
    if (limit == cudaLimitMaxL2FetchGranularity && value > kMaxFetchGranularity) return cudaErrorInvalidValue;
    *kept = limit == cudaLimitStackSize ? (value + 15) / 16 * 16 : value;
    ++runtime.here().limits.times_set;
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
    *config = static_cast<cudaFuncCache>(runtime.here().cache_config);
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config) {
  return call(CallKind::ordinary, "cudaDeviceSetCacheConfig", [&](Runtime& runtime) {
    if (config < cudaFuncCachePreferNone || config > cudaFuncCachePreferEqual) return cudaErrorInvalidValue;
    runtime.here().cache_config = config;
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

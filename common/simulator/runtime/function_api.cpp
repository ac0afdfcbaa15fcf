// Kernels as objects: handles, attributes, occupancy.
#include <algorithm>

#include "common/simulator/model/occupancy.h"
#include "common/simulator/runtime/about_device.h"
#include "common/simulator/runtime/call.h"
#include "common/simulator/runtime/cuda_api.h"
#include "common/simulator/runtime/kernel_resources.h"

namespace {

using namespace warpbook::simulator::runtime;
using warpbook::simulator::Device;
using warpbook::simulator::occupancy;

/// Calls @p body(runtime, kernel, resources) for a kernel that can be run.
template <class Body>
cudaError_t with_kernel(const char* name, const void* function, Body body) {
  return call(CallKind::ordinary, name, [&](Runtime& runtime) {
    if (function == nullptr) return cudaErrorInvalidDeviceFunction;
    Kernel* kernel = registry().find_kernel(function);
    if (kernel == nullptr) return cudaErrorInvalidResourceHandle;
    KernelResources resources;
    if (const cudaError_t error = find_resources(runtime, *kernel, resources)) return error;
    return body(runtime, *kernel, resources);
  });
}

/// Shared memory of a multiprocessor as the kernel, or else the device, was told to prefer. One block gets what it asks
/// for.
std::uint64_t preferred_shared(const Runtime& runtime, Kernel& kernel, int blocks) {
  const Device& device = runtime.device();
  const int config = runtime.here().cache_config;
  int percent = kernel.settings().carveout;
  if (percent < 0) percent = config == cudaFuncCachePreferL1 ? 0 : config == cudaFuncCachePreferEqual ? 50 : 100;
  const std::uint64_t wanted = std::uint64_t{device.shared_per_multiprocessor} * static_cast<unsigned>(percent) / 100;
  for (const std::uint64_t size : device.shared_carveouts)
    if (blocks > 1 && size > 0 && size >= wanted) return size;
  return device.shared_per_multiprocessor;
}

cudaError_t set_attribute(const char* name, const void* function, cudaFuncAttribute attribute, int value) {
  return with_kernel(name, function, [&](Runtime& runtime, Kernel& kernel, const KernelResources& resources) {
    switch (attribute) {
      case cudaFuncAttributeMaxDynamicSharedMemorySize: {
        const std::uint32_t most = runtime.device().shared_per_block_optin - resources.static_shared;
        if (value < 0 || static_cast<std::uint32_t>(value) > most) return cudaErrorInvalidValue;
        kernel.settings().max_dynamic_shared = static_cast<std::uint32_t>(value);
        return cudaSuccess;
      }
      case cudaFuncAttributePreferredSharedMemoryCarveout:
        if (value < -1 || value > 100) return cudaErrorInvalidValue;
        kernel.settings().carveout = value;
        return cudaSuccess;
      case cudaFuncAttributeNonPortableClusterSizeAllowed:
        kernel.settings().non_portable_cluster = value != 0;
        return cudaSuccess;
      default:
        return cudaErrorInvalidValue;
    }
  });
}

}  // namespace

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  if (attributes == nullptr) return remember(cudaErrorInvalidValue);
  return with_kernel("cudaFuncGetAttributes", function,
                     [&](Runtime& runtime, Kernel& kernel, const KernelResources& resources) {
                       *attributes = attributes_of(runtime, kernel, resources);
                       return cudaSuccess;
                     });
}

cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
  return set_attribute("cudaFuncSetAttribute", function, attribute, value);
}

cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, cudaFuncAttribute attribute, int value, int device) {
  const std::lock_guard guard(runtime_lock());
  if (!is_device(Runtime::instance(), device)) return remember(cudaErrorInvalidDevice);
  const unsigned before = current_device();
  set_current_device(static_cast<unsigned>(device));
  const cudaError_t error = set_attribute("cudaKernelSetAttributeForDevice", kernel, attribute, value);
  set_current_device(before);
  return error;
}

cudaError_t cudaFuncSetCacheConfig(const void* function, cudaFuncCache config) {
  return with_kernel("cudaFuncSetCacheConfig", function, [&](Runtime&, Kernel&, const KernelResources&) {
    return config < cudaFuncCachePreferNone || config > cudaFuncCachePreferEqual ? cudaErrorInvalidValue : cudaSuccess;
  });
}

cudaError_t cudaFuncSetSharedMemConfig(const void* function, cudaSharedMemConfig) {
  return with_kernel("cudaFuncSetSharedMemConfig", function,
                     [](Runtime&, Kernel&, const KernelResources&) { return cudaSuccess; });
}

cudaError_t cudaFuncGetName(const char** name, const void* function) {
  if (name == nullptr) return remember(cudaErrorInvalidValue);
  return with_kernel("cudaFuncGetName", function, [&](Runtime&, Kernel& kernel, const KernelResources&) {
    *name = kernel.mangled.c_str();
    return cudaSuccess;
  });
}

cudaError_t cudaFuncGetParamInfo(const void* function, size_t index, size_t* offset, size_t* bytes) {
  if (offset == nullptr) return remember(cudaErrorInvalidValue);
  return with_kernel("cudaFuncGetParamInfo", function, [&](Runtime&, Kernel&, const KernelResources& resources) {
    const auto& parameters = resources.function->parameters;
    if (index >= parameters.size()) return cudaErrorInvalidValue;
    *offset = parameters[index].offset;
    if (bytes != nullptr) *bytes = parameters[index].bytes;
    return cudaSuccess;
  });
}

namespace {

template <class Handle>
cudaError_t find_handle(CallKind kind, const char* name, Handle* handle, const void* function) {
  return call(kind, name, [&](Runtime&) {
    if (handle == nullptr) return cudaErrorInvalidValue;
    *handle = reinterpret_cast<Handle>(registry().find_kernel(function));
    return *handle == nullptr ? cudaErrorInvalidDeviceFunction : cudaSuccess;
  });
}

}  // namespace

cudaError_t __cudaGetKernel(cudaKernel_t* handle, const void* function) {
  return find_handle(CallKind::query, "__cudaGetKernel", handle, function);
}

cudaError_t cudaGetKernel(cudaKernel_t* handle, const void* function) { return __cudaGetKernel(handle, function); }

cudaError_t cudaGetFuncBySymbol(cudaFunction_t* handle, const void* function) {
  // A function belongs to a context: the call makes one (H200, 2026-11-27).
  return find_handle(CallKind::ordinary, "cudaGetFuncBySymbol", handle, function);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function, int threads,
                                                                   size_t dynamic_shared, unsigned flags) {
  if (blocks == nullptr || threads <= 0 || flags > cudaOccupancyDisableCachingOverride) {
    return remember(cudaErrorInvalidValue);
  }
  return with_kernel(
      "cudaOccupancyMaxActiveBlocksPerMultiprocessor", function,
      [&](Runtime& runtime, Kernel& kernel, const KernelResources& resources) {
        const std::uint64_t shared = resources.static_shared + dynamic_shared;
        const std::uint64_t most = std::max<std::uint64_t>(
            runtime.device().shared_per_block, resources.static_shared + kernel.settings().max_dynamic_shared);
        const bool fits = static_cast<unsigned>(threads) <= runtime.device().max_threads_per_block;
        *blocks = 0;
        if (!fits || shared > most) return cudaSuccess;
        *blocks = static_cast<int>(
            occupancy(runtime.device(), resources.registers, static_cast<unsigned>(threads), shared).blocks);
        return cudaSuccess;
      });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function, int threads,
                                                          size_t dynamic_shared) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, dynamic_shared, 0);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void* function, int blocks, int threads) {
  if (bytes == nullptr || blocks <= 0 || threads <= 0) return remember(cudaErrorInvalidValue);
  return with_kernel("cudaOccupancyAvailableDynamicSMemPerBlock", function,
                     [&](Runtime& runtime, Kernel& kernel, const KernelResources& resources) {
                       // As an H100 answers (driver 580.159.04, 2026-11-27): what the system reserves is not
                       // subtracted.
                       const Device& device = runtime.device();
                       const std::uint64_t granule = std::max<std::uint64_t>(device.shared_granularity, 1);
                       const std::uint64_t share = preferred_shared(runtime, kernel, blocks) /
                                                   static_cast<unsigned>(blocks) / granule * granule;
                       if (share < device.shared_reserved) return cudaErrorInvalidValue;
                       const std::uint64_t left = share > resources.static_shared ? share - resources.static_shared : 0;
                       *bytes = std::min<std::uint64_t>(left, dynamic_shared_limit(runtime, kernel, resources));
                       return cudaSuccess;
                     });
}

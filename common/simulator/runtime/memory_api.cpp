// Device memory: cudaMalloc, cudaFree and their relatives, and pointer queries.
#include "common/simulator/runtime/memory_api.h"

#include "common/simulator/runtime/call.h"
#include "common/simulator/runtime/copy.h"
#include "common/simulator/runtime/cuda_api.h"
#include "common/simulator/runtime/graph_state.h"
#include "common/simulator/runtime/host.h"
#include "common/simulator/runtime/misuse.h"
#include "common/simulator/runtime/pools.h"

namespace warpbook::simulator::runtime {
namespace {

/// The memory that a context takes on an H200 (driver 580.159, measured 2026-11-21).
constexpr std::uint64_t kContextBytes = 552402944;

const char* profile_kind(MemoryKind kind) {
  switch (kind) {
    case MemoryKind::managed:
      return "managed";
    case MemoryKind::pinned:
      return "pinned";
    default:
      return "device";
  }
}

}  // namespace

cudaError_t allocate(Runtime& runtime, void** pointer, std::uint64_t bytes, MemoryKind kind, const char* name,
                     std::uint64_t alignment) {
  if (pointer == nullptr) return cudaErrorInvalidValue;
  if (bytes == 0) {
    *pointer = nullptr;
    return cudaSuccess;
  }
  const bool host = kind == MemoryKind::pinned;
  if (!host && bytes > free_bytes(runtime)) return cudaErrorMemoryAllocation;
  const Allocation* allocation = runtime.memory.allocate(bytes, kind, alignment, {}, active_device());
  if (allocation == nullptr) return cudaErrorMemoryAllocation;
  *pointer = reinterpret_cast<void*>(allocation->address);
  if (std::byte* const bytes_apart = host ? runtime::host().pinned(allocation->address, bytes) : nullptr)
    runtime.memory.place(allocation->address, bytes_apart);
  if (runtime.checker) runtime.checker->allocated(allocation->address, bytes);
  runtime.profile.allocated(allocation->address, bytes, profile_kind(kind), name, runtime.places.here(),
                            active_device());
  if (runtime.watch && (host || kind == MemoryKind::managed))
    runtime.watch->allocated(allocation->address, bytes, !host);
  if (kind == MemoryKind::managed) runtime.managed.allocated(allocation->address, bytes, false);
  return cudaSuccess;
}

cudaError_t release(Runtime& runtime, void* pointer, bool host) {
  if (pointer == nullptr) return cudaSuccess;
  if (runtime.options.checks.has(Check::memory)) check_free(runtime, pointer, host ? FreeCall::host : FreeCall::device);
  const auto address = reinterpret_cast<std::uint64_t>(pointer);
  if (!host && runtime.graphs->memory.owns(address)) return runtime.graphs->memory.free(address);
  const Allocation* allocation = runtime.memory.find(address);
  if (allocation == nullptr || allocation->address != address) return cudaErrorInvalidValue;
  const bool pinned = allocation->kind == MemoryKind::pinned;
  const bool matches =
      pinned ? host != allocation->is_pooled
             : !host && (allocation->kind == MemoryKind::device || allocation->kind == MemoryKind::managed);
  if (!matches || allocation->mapped || !allocation->name.empty()) return cudaErrorInvalidValue;
  runtime.profile.freed(address, runtime.places.here());
  if (runtime.watch) runtime.watch->freed(address);
  runtime.managed.freed(address);
  if (runtime.checker) runtime.checker->freed(address, allocation->bytes);
  if (pinned) runtime::host().unpin(address, allocation->bytes);
  if (allocation->is_pooled) forget_pooled(address);
  runtime.memory.free(address);
  return cudaSuccess;
}

std::uint64_t free_bytes(const Runtime& runtime) {
  const std::uint64_t taken = runtime.memory.used(active_device()) + kContextBytes;
  const std::uint64_t capacity = runtime.memory.capacity(active_device());
  return taken > capacity ? 0 : capacity - taken;
}

}  // namespace warpbook::simulator::runtime

namespace {

using namespace warpbook::simulator::runtime;
using warpbook::simulator::Allocation;
using warpbook::simulator::MemoryKind;
using warpbook::simulator::only_device;

std::uint64_t pitch_for(const Runtime& runtime, std::uint64_t width) {
  const auto granule = static_cast<std::uint64_t>(runtime.device().attribute("texture_alignment"));
  return (width + granule - 1) / granule * granule;
}

}  // namespace

cudaError_t cudaMalloc(void** pointer, size_t bytes) {
  return call(CallKind::ordinary, "cudaMalloc",
              [&](Runtime& runtime) { return allocate(runtime, pointer, bytes, MemoryKind::device, "cudaMalloc"); });
}

cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
  return call(CallKind::ordinary, "cudaMallocPitch", [&](Runtime& runtime) {
    if (pitch == nullptr) return cudaErrorInvalidValue;
    *pitch = pitch_for(runtime, width);
    return allocate(runtime, pointer, *pitch * height, MemoryKind::device, "cudaMallocPitch", 512);
  });
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* pitched, cudaExtent extent) {
  return call(CallKind::ordinary, "cudaMalloc3D", [&](Runtime& runtime) {
    if (pitched == nullptr) return cudaErrorInvalidValue;
    pitched->pitch = pitch_for(runtime, extent.width);
    pitched->xsize = extent.width;
    pitched->ysize = extent.height;
    return allocate(runtime, &pitched->ptr, pitched->pitch * extent.height * extent.depth, MemoryKind::device,
                    "cudaMalloc3D", 512);
  });
}

cudaError_t cudaFree(void* pointer) {
  return call(CallKind::ordinary, "cudaFree", [&](Runtime& runtime) {
    if (pointer != nullptr) {
      if (const cudaError_t error = runtime.wait_for_all()) return error;
      if (cudaError_t error{}; release_imported(runtime, pointer, error)) return error;
    }
    const Allocation* const freed = runtime.memory.find(reinterpret_cast<std::uint64_t>(pointer));
    const bool is_pooled = freed != nullptr && freed->is_pooled;
    const cudaError_t error = release(runtime, pointer, false);
    if (is_pooled) settle_pools(runtime);
    return error;
  });
}

cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  return call(CallKind::ordinary, "cudaMemGetInfo", [&](Runtime& runtime) {
    if (free == nullptr || total == nullptr) return cudaErrorInvalidValue;
    *free = free_bytes(runtime);
    *total = runtime.memory.capacity(active_device());
    return cudaSuccess;
  });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  return call(CallKind::query, "cudaPointerGetAttributes", [&](Runtime& runtime) {
    if (attributes == nullptr) return cudaErrorInvalidValue;
    *attributes = {};
    auto* plain = const_cast<void*>(pointer);
    const Allocation* allocation = runtime.memory.find(reinterpret_cast<std::uint64_t>(pointer));
    if (allocation == nullptr) {
      attributes->type = cudaMemoryTypeUnregistered;
      attributes->device = cudaInvalidDeviceId;
      attributes->hostPointer = plain;
      return cudaSuccess;
    }
    const MemoryKind kind = allocation->kind;
    const bool host_readable =
        kind == MemoryKind::managed || kind == MemoryKind::pinned || kind == MemoryKind::registered;
    attributes->type = kind == MemoryKind::managed ? cudaMemoryTypeManaged
                       : host_readable             ? cudaMemoryTypeHost
                                                   : cudaMemoryTypeDevice;
    attributes->device = allocation->device;
    const bool has_access = !allocation->is_pooled || (allocation->access & only_device(active_device())) != 0;
    attributes->devicePointer = has_access ? plain : nullptr;
    attributes->hostPointer = host_readable ? plain : nullptr;
    return cudaSuccess;
  });
}

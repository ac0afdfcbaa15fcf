// Stream-ordered allocation: cudaMallocAsync, cudaFreeAsync and memory pools. Work runs when it is issued, so memory
// is given and taken at once; pools keep their attributes but share one store.
#include <map>

#include "common/simulator/runtime/call.h"
#include "common/simulator/runtime/cuda_api.h"
#include "common/simulator/runtime/graph_capture.h"
#include "common/simulator/runtime/memory_api.h"

namespace {

using namespace warpbook::simulator::runtime;
using warpbook::simulator::MemoryKind;

struct Pool {
  std::map<cudaMemPoolAttr, std::uint64_t> attributes;
};

HandleTable<Pool>& pools() {
  static auto* table = new HandleTable<Pool>;
  return *table;
}

cudaMemPool_t default_pool() {
  static Pool* pool = pools().add();
  return reinterpret_cast<cudaMemPool_t>(pool);
}

bool is_switch(cudaMemPoolAttr attribute) {
  return attribute == cudaMemPoolReuseFollowEventDependencies || attribute == cudaMemPoolReuseAllowOpportunistic ||
         attribute == cudaMemPoolReuseAllowInternalDependencies;
}

bool is_known(cudaMemPoolAttr attribute) {
  return attribute >= cudaMemPoolReuseFollowEventDependencies && attribute <= cudaMemPoolAttrUsedMemHigh;
}

cudaError_t allocate_in_stream(const char* name, void** pointer, std::size_t bytes, cudaStream_t stream) {
  return call(CallKind::ordinary, name, [&](Runtime& runtime) {
    const Stream* const place = runtime.find_stream(stream);
    if (place == nullptr) return cudaErrorInvalidResourceHandle;
    if (runtime.capturing != 0) {
      if (const auto captured = capture_allocation(runtime, *place, pointer, bytes)) return *captured;
    }
    return allocate(runtime, pointer, bytes, MemoryKind::device, name);
  });
}

}  // namespace

cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t stream) {
  return allocate_in_stream("cudaMallocAsync", pointer, bytes, stream);
}

cudaError_t cudaMallocFromPoolAsync(void** pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  default_pool();
  if (pools().find(pool) == nullptr) return remember(cudaErrorInvalidValue);
  return allocate_in_stream("cudaMallocFromPoolAsync", pointer, bytes, stream);
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  return call(CallKind::ordinary, "cudaFreeAsync", [&](Runtime& runtime) {
    const Stream* found = runtime.find_stream(stream);
    if (found == nullptr) return cudaErrorInvalidResourceHandle;
    if (runtime.capturing != 0) {
      if (const auto captured = capture_free(runtime, *found, pointer)) return *captured;
    }
    if (pointer == nullptr) return cudaErrorInvalidValue;
    runtime.backlog.finish(*found);
    return release(runtime, pointer, false);
  });
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  return call(CallKind::ordinary, "cudaDeviceGetDefaultMemPool", [&](Runtime&) {
    if (pool == nullptr) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
    *pool = default_pool();
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) { return cudaDeviceGetDefaultMemPool(pool, device); }

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  return call(CallKind::ordinary, "cudaMemPoolCreate", [&](Runtime& runtime) {
    if (pool == nullptr || properties == nullptr) return cudaErrorInvalidValue;
    if (properties->allocType != cudaMemAllocationTypePinned) return cudaErrorInvalidValue;
    if (properties->location.type != cudaMemLocationTypeDevice || properties->handleTypes != cudaMemHandleTypeNone) {
      return not_supported("cudaMemPoolCreate", " for a pool outside the device or one that is shared");
    }
    Pool* const made = pools().add();
    if (runtime.options.checks.any()) runtime.objects.made(made, "pool", "cudaMemPoolCreate", runtime.places.here());
    *pool = reinterpret_cast<cudaMemPool_t>(made);
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  return call(CallKind::ordinary, "cudaMemPoolDestroy", [&](Runtime& runtime) {
    if (pool == default_pool() || !pools().remove(pool)) return cudaErrorInvalidValue;
    runtime.objects.gone(pool);
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t) {
  return call(CallKind::ordinary, "cudaMemPoolTrimTo", [&](Runtime&) {
    default_pool();
    return pools().find(pool) == nullptr ? cudaErrorInvalidValue : cudaSuccess;
  });
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t handle, cudaMemPoolAttr attribute, void* value) {
  return call(CallKind::ordinary, "cudaMemPoolSetAttribute", [&](Runtime&) {
    default_pool();
    Pool* pool = pools().find(handle);
    if (pool == nullptr || value == nullptr || !is_known(attribute)) return cudaErrorInvalidValue;
    pool->attributes[attribute] = is_switch(attribute) ? static_cast<std::uint64_t>(*static_cast<int*>(value))
                                                       : *static_cast<std::uint64_t*>(value);
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t handle, cudaMemPoolAttr attribute, void* value) {
  return call(CallKind::ordinary, "cudaMemPoolGetAttribute", [&](Runtime&) {
    default_pool();
    Pool* pool = pools().find(handle);
    if (pool == nullptr || value == nullptr || !is_known(attribute)) return cudaErrorInvalidValue;
    const auto kept = pool->attributes.find(attribute);
    const std::uint64_t answer = kept != pool->attributes.end() ? kept->second : is_switch(attribute) ? 1 : 0;
    if (is_switch(attribute)) {
      *static_cast<int*>(value) = static_cast<int>(answer);
    } else {
      *static_cast<std::uint64_t*>(value) = answer;
    }
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  return call(CallKind::ordinary, "cudaDeviceSetMemPool", [&](Runtime&) {
    default_pool();
    if (device != 0) return cudaErrorInvalidDevice;
    return pools().find(pool) == nullptr ? cudaErrorInvalidValue : cudaSuccess;
  });
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* descriptions, size_t count) {
  return call(CallKind::ordinary, "cudaMemPoolSetAccess", [&](Runtime&) {
    default_pool();
    if (pools().find(pool) == nullptr || (descriptions == nullptr && count != 0)) return cudaErrorInvalidValue;
    for (size_t i = 0; i < count; ++i) {
      const bool here = descriptions[i].location.type == cudaMemLocationTypeDevice && descriptions[i].location.id == 0;
      if (!here) return cudaErrorInvalidDevice;
    }
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t pool, cudaMemLocation* location) {
  return call(CallKind::ordinary, "cudaMemPoolGetAccess", [&](Runtime&) {
    default_pool();
    if (flags == nullptr || location == nullptr || pools().find(pool) == nullptr) return cudaErrorInvalidValue;
    if (location->type != cudaMemLocationTypeDevice || location->id != 0) return cudaErrorInvalidDevice;
    *flags = cudaMemAccessFlagsProtReadWrite;
    return cudaSuccess;
  });
}

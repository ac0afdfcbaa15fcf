// Stream-ordered allocation: cudaMallocAsync, cudaFreeAsync and memory pools. Work runs when it is issued, so memory is
// allocated and freed at once; pools keep their attributes and count their memory, but share one allocator. What pools
// of host and managed memory answer, and calls about pools after a fault, are an H100's answers (2026-11-27).
#include <map>
#include <optional>
#include <tuple>

#include "common/simulator/runtime/about_device.h"
#include "common/simulator/runtime/call.h"
#include "common/simulator/runtime/cuda_api.h"
#include "common/simulator/runtime/graph_capture.h"
#include "common/simulator/runtime/graph_state.h"
#include "common/simulator/runtime/memory_api.h"
#include "common/simulator/runtime/pools.h"

namespace {

using namespace warpbook::simulator::runtime;
using warpbook::simulator::Allocation;
using warpbook::simulator::Checker;
using warpbook::simulator::DeviceSet;
using warpbook::simulator::MemoryKind;
using warpbook::simulator::only_device;

cudaMemPool_t handle_of(Pool* pool) { return reinterpret_cast<cudaMemPool_t>(pool); }

MemoryKind kind_of(const Pool& pool) {
  if (pool.type == cudaMemAllocationTypeManaged) return MemoryKind::managed;
  return pool.location == cudaMemLocationTypeDevice ? MemoryKind::device : MemoryKind::pinned;
}

/// Managed memory is every device's.
DeviceSet access_to(const Pool& pool) {
  return pool.type == cudaMemAllocationTypeManaged ? static_cast<DeviceSet>(~DeviceSet{0}) : pool.access;
}

bool is_of_host(cudaMemLocationType type) {
  return type == cudaMemLocationTypeHost || type == cudaMemLocationTypeHostNuma;
}

/// The same, except imported pools, which have no attributes (H200, 2026-11-23).
Pool* find_own_pool(cudaMemPool_t handle) {
  Pool* const pool = find_pool(handle);
  return pool == nullptr || pool->imported ? nullptr : pool;
}

bool is_switch(cudaMemPoolAttr attribute) {
  return attribute == cudaMemPoolReuseFollowEventDependencies || attribute == cudaMemPoolReuseAllowOpportunistic ||
         attribute == cudaMemPoolReuseAllowInternalDependencies;
}

/// The counter of @p pool for @p attribute; nullptr for attributes that a program sets.
const std::uint64_t* number_of(const Pool& pool, cudaMemPoolAttr attribute) {
  switch (attribute) {
    case cudaMemPoolAttrReservedMemCurrent:
      return &pool.use.reserved.current;
    case cudaMemPoolAttrReservedMemHigh:
      return &pool.use.reserved.high;
    case cudaMemPoolAttrUsedMemCurrent:
      return &pool.use.used.current;
    case cudaMemPoolAttrUsedMemHigh:
      return &pool.use.used.high;
    default:
      return nullptr;
  }
}

/// A program may only set a high watermark to 0: it restarts at the current level.
cudaError_t set_number(Pool& pool, cudaMemPoolAttr attribute, std::uint64_t value) {
  const bool of_used = attribute == cudaMemPoolAttrUsedMemHigh;
  if ((!of_used && attribute != cudaMemPoolAttrReservedMemHigh) || value != 0) return cudaErrorInvalidValue;
  PoolUse::Level& level = of_used ? pool.use.used : pool.use.reserved;
  level.high = level.current;
  return cudaSuccess;
}

bool is_known(cudaMemPoolAttr attribute) {
  return attribute >= cudaMemPoolReuseFollowEventDependencies && attribute <= cudaMemPoolAttrUsedMemHigh;
}

/// For the race checker, an allocation exists from its place in the stream to the place of its free.
void note_life(Runtime& runtime, const Checker::HostCall& call, const char* role, const void* pointer) {
  const auto address = reinterpret_cast<std::uint64_t>(pointer);
  const Allocation* const piece = runtime.memory.find(address);
  if (piece == nullptr || piece->address != address || !piece->is_pooled) return;
  runtime.checker->lives_from_or_to(call, role, address, piece->bytes);
}

void note_life_in(Runtime& runtime, const Stream& stream, const char* role, const void* pointer) {
  if (!runtime.checker) return;
  const Checker::HostCall call{runtime.call_name, runtime.places.here()};
  runtime.backlog.put(stream, [&runtime, call, role, pointer] { note_life(runtime, call, role, pointer); });
}

FreeOrder& free_order() {
  static auto* order = new FreeOrder;
  return *order;
}

/// In which stream memory is being freed; nothing where all work has ended before.
std::optional<PoolUse::Freed> freeing;

bool is_on(const Pool& pool, cudaMemPoolAttr attribute) {
  const auto found = pool.attributes.find(attribute);
  return found == pool.attributes.end() || found->second != 0;
}

/// What @p pool is asked for, and what it may give @p stream of that which was freed.
PoolUse::Request request_of(const Runtime& runtime, const Pool& pool, std::uint64_t bytes, std::uint32_t stream) {
  const bool follows = is_on(pool, cudaMemPoolReuseFollowEventDependencies),
             is_opportunistic = is_on(pool, cudaMemPoolReuseAllowOpportunistic);
  const auto may_use = [&runtime, stream, follows, is_opportunistic](const PoolUse::Freed& freed) {
    return freed.stream == stream || (follows && free_order().is_before(freed.stream, freed.number, stream)) ||
           (is_opportunistic && runtime.timeline.reached(freed.done_us));
  };
  return {bytes, pool.most, may_use, is_on(pool, cudaMemPoolReuseAllowInternalDependencies)};
}

/// Frees memory in its place in @p stream.
cudaError_t release_in_stream(Runtime& runtime, std::uint32_t stream, void* pointer) {
  freeing = PoolUse::Freed{0, 0, stream, free_order().note_free(stream), runtime.timeline.end_of(stream)};
  const cudaError_t error = release(runtime, pointer, false);
  freeing.reset();
  return error;
}

/// @param handle nullptr: the current pool of the stream's device
cudaError_t allocate_in_stream(const char* name, void** pointer, std::size_t bytes, cudaMemPool_t handle,
                               cudaStream_t stream) {
  return call(CallKind::ordinary, name, [&](Runtime& runtime) {
    const Stream* const place = runtime.find_stream(stream);
    if (place == nullptr) return cudaErrorInvalidResourceHandle;
    Pool* const pool = handle == nullptr ? pools_of(active_device()).current : find_pool(handle);
    if (pool == nullptr || pool->imported) return cudaErrorInvalidValue;
    if (runtime.capturing != 0) {
      if (pool->location != cudaMemLocationTypeDevice && runtime.graphs->captures.of(*place) != nullptr)
        return pool->location == cudaMemLocationTypeNone ? cudaErrorInvalidValue : cudaErrorNotSupported;
      if (const auto captured = capture_allocation(runtime, *place, pointer, bytes)) return *captured;
    }
    const PoolUse::Request request = request_of(runtime, *pool, bytes, place->number);
    if (!pool->use.fits(request)) return cudaErrorMemoryAllocation;
    const OnDevice there(pool->device);
    const cudaError_t error = allocate(runtime, pointer, bytes, kind_of(*pool), name);
    if (error != cudaSuccess || *pointer == nullptr) return error;
    const auto address = reinterpret_cast<std::uint64_t>(*pointer);
    pool->memory.insert(address);
    pool->use.take(address, request);
    runtime.memory.set_pool_access(address, access_to(*pool));
    note_life_in(runtime, *place, "allocation", *pointer);
    return cudaSuccess;
  });
}

}  // namespace

namespace warpbook::simulator::runtime {

HandleTable<Pool>& pools() {
  static auto* table = new HandleTable<Pool>;
  return *table;
}

Pool* find_pool(cudaMemPool_t handle) { return pools().find(handle); }

PlacePools& pools_of(unsigned device, cudaMemAllocationType type, cudaMemLocationType location) {
  using Place = std::tuple<unsigned, cudaMemAllocationType, cudaMemLocationType>;
  static auto* all = new std::map<Place, PlacePools>;
  const unsigned owner = location == cudaMemLocationTypeDevice ? device : 0;
  PlacePools& found = (*all)[Place{owner, type, location}];
  if (found.usual == nullptr) {
    found.current = found.usual = &make_pool(owner, type, location);
    found.usual->usual = true;
  }
  return found;
}

cudaError_t check_place(const Runtime& runtime, const cudaMemLocation& location, cudaMemAllocationType type) {
  const bool pinned = type == cudaMemAllocationTypePinned, managed = type == cudaMemAllocationTypeManaged;
  if (!pinned && !managed) return cudaErrorInvalidValue;
  switch (location.type) {
    case cudaMemLocationTypeDevice:
      return is_device(runtime, location.id) ? cudaSuccess : cudaErrorInvalidValue;
    case cudaMemLocationTypeHost:
      return cudaSuccess;
    case cudaMemLocationTypeHostNuma:
      return location.id == 0 ? cudaSuccess : cudaErrorInvalidValue;
    case cudaMemLocationTypeHostNumaCurrent:
      return cudaErrorNotSupported;
    default:
      return managed && location.type == cudaMemLocationTypeNone ? cudaSuccess : cudaErrorInvalidValue;
  }
}

Pool& make_pool(unsigned device, cudaMemAllocationType type, cudaMemLocationType location) {
  static std::uint32_t last_number = 0;
  Pool& made = *pools().add();
  made.number = ++last_number;
  made.device = device;
  made.type = type;
  made.location = location;
  if (kind_of(made) == MemoryKind::device) made.access = only_device(device);
  if (kind_of(made) == MemoryKind::pinned) made.host_access = cudaMemAccessFlagsProtReadWrite;
  return made;
}

void forget_pooled(std::uint64_t address) {
  for (const auto& [handle, pool] : pools().live()) {
    pool->memory.erase(address);
    pool->use.give(address, freeing ? &*freeing : nullptr);
  }
}

void settle_pools(const Runtime& runtime) {
  const auto is_done = [&runtime](const PoolUse::Freed& freed) { return runtime.timeline.reached(freed.done_us); };
  for (const auto& [handle, pool] : pools().live())
    pool->use.settle(pool->attributes[cudaMemPoolAttrReleaseThreshold], is_done);
}

FreesSeen frees_seen_by(std::uint32_t stream) { return free_order().recorded(stream); }

void see_frees(std::uint32_t stream, const FreesSeen& event) { free_order().waited(stream, event); }

}  // namespace warpbook::simulator::runtime

cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t stream) {
  return allocate_in_stream("cudaMallocAsync", pointer, bytes, nullptr, stream);
}

cudaError_t cudaMallocFromPoolAsync(void** pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  if (pool == nullptr) return remember(cudaErrorInvalidValue);
  return allocate_in_stream("cudaMallocFromPoolAsync", pointer, bytes, pool, stream);
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  return call(CallKind::ordinary, "cudaFreeAsync", [&](Runtime& runtime) {
    const Stream* found = runtime.find_stream(stream);
    if (found == nullptr) return cudaErrorInvalidResourceHandle;
    if (runtime.capturing != 0) {
      if (const auto captured = capture_free(runtime, *found, pointer)) return *captured;
    }
    if (pointer == nullptr) return cudaErrorInvalidValue;
    if (cudaError_t error{}; release_imported(runtime, pointer, error)) return error;
    if (runtime.backlog.try_to_finish(*found)) {
      note_life_in(runtime, *found, "free", pointer);
      return release_in_stream(runtime, found->number, pointer);
    }
    if (!locate(runtime, pointer, 1)) return cudaErrorInvalidValue;
    note_life_in(runtime, *found, "free", pointer);
    runtime.backlog.put(*found,
                        [&runtime, number = found->number, pointer] { release_in_stream(runtime, number, pointer); });
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  if (pool == nullptr) return remember(cudaErrorInvalidValue);
  return about_device("cudaDeviceGetDefaultMemPool", CallKind::query, device, [&](Runtime&, VirtualDevice& there) {
    *pool = handle_of(pools_of(there.number).usual);
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  return call(CallKind::query, "cudaDeviceGetMemPool", [&](Runtime& runtime) {
    if (pool == nullptr || !is_device(runtime, device)) return cudaErrorInvalidValue;
    *pool = handle_of(pools_of(static_cast<unsigned>(device)).current);
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  return call(CallKind::query, "cudaMemPoolCreate", [&](Runtime& runtime) {
    if (pool == nullptr || properties == nullptr) return cudaErrorInvalidValue;
    const auto& [type, handles, location, attributes, most, usage, reserved] = *properties;
    const bool on_device = type == cudaMemAllocationTypePinned && location.type == cudaMemLocationTypeDevice;
    if (handles == cudaMemHandleTypeFabric && on_device)
      return not_supported("cudaMemPoolCreate", " for a pool that is shared by cudaMemHandleTypeFabric");
    if (handles != cudaMemHandleTypeNone && (handles != cudaMemHandleTypePosixFileDescriptor || !on_device))
      return cudaErrorInvalidValue;
    const bool managed = type == cudaMemAllocationTypeManaged;
    if (managed && most != 0) return cudaErrorInvalidValue;
    const cudaError_t error = check_place(runtime, location, type);
    if (error == cudaErrorNotSupported && !managed) return cudaErrorInvalidValue;
    if (error != cudaSuccess && error != cudaErrorNotSupported) return error;
    Pool* const made = &make_pool(location.type == cudaMemLocationTypeDevice ? static_cast<unsigned>(location.id) : 0,
                                  type, location.type);
    made->shared = handles == cudaMemHandleTypePosixFileDescriptor;
    made->most = most;
    if (runtime.options.checks.any()) runtime.objects.made(made, "pool", "cudaMemPoolCreate", runtime.places.here());
    *pool = handle_of(made);
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t handle) {
  return call(CallKind::query, "cudaMemPoolDestroy", [&](Runtime& runtime) {
    Pool* const pool = find_pool(handle);
    if (pool == nullptr || pool->usual) return cudaErrorInvalidValue;
    if (pool->imported && !pool->memory.empty()) return cudaErrorInvalidValue;  // As an H200 does (2026-11-23).
    PlacePools& around = pools_of(pool->device, pool->type, pool->location);
    if (around.current == pool) around.current = around.usual;
    pools().remove(pool);
    runtime.objects.gone(handle);
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t handle, size_t kept) {
  return call(CallKind::query, "cudaMemPoolTrimTo", [&](Runtime&) {
    Pool* const pool = find_own_pool(handle);
    if (pool == nullptr) return cudaErrorInvalidValue;
    pool->use.release(kept);
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t handle, cudaMemPoolAttr attribute, void* value) {
  return call(CallKind::query, "cudaMemPoolSetAttribute", [&](Runtime&) {
    Pool* pool = find_own_pool(handle);
    if (pool == nullptr || value == nullptr || !is_known(attribute)) return cudaErrorInvalidValue;
    if (number_of(*pool, attribute) != nullptr)
      return set_number(*pool, attribute, *static_cast<std::uint64_t*>(value));
    pool->attributes[attribute] = is_switch(attribute) ? static_cast<std::uint64_t>(*static_cast<int*>(value))
                                                       : *static_cast<std::uint64_t*>(value);
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t handle, cudaMemPoolAttr attribute, void* value) {
  return call(CallKind::query, "cudaMemPoolGetAttribute", [&](Runtime&) {
    Pool* pool = find_own_pool(handle);
    if (pool == nullptr || value == nullptr || !is_known(attribute)) return cudaErrorInvalidValue;
    if (const std::uint64_t* const number = number_of(*pool, attribute)) {
      *static_cast<std::uint64_t*>(value) = *number;
      return cudaSuccess;
    }
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

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t handle) {
  return about_device("cudaDeviceSetMemPool", CallKind::query, device, [&](Runtime&, VirtualDevice& there) {
    Pool* const pool = find_own_pool(handle);
    const bool fits = pool != nullptr && pool->location == cudaMemLocationTypeDevice && pool->device == there.number;
    if (!fits) return cudaErrorInvalidValue;
    pools_of(there.number, pool->type).current = pool;
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t handle, const cudaMemAccessDesc* descriptions, size_t count) {
  return call(CallKind::query, "cudaMemPoolSetAccess", [&](Runtime& runtime) {
    Pool* const pool = find_pool(handle);
    if (pool == nullptr || (descriptions == nullptr && count != 0)) return cudaErrorInvalidValue;
    DeviceSet access = pool->access;
    const bool on_device = kind_of(*pool) == MemoryKind::device;
    for (size_t i = 0; i < count; ++i) {
      const auto& [location, flags] = descriptions[i];
      if (is_of_host(location.type)) {
        if (on_device) return cudaErrorNotSupported;
        pool->host_access = flags;
        continue;
      }
      if (location.type != cudaMemLocationTypeDevice || !is_device(runtime, location.id)) return cudaErrorInvalidDevice;
      const auto device = static_cast<unsigned>(location.id);
      if (flags == cudaMemAccessFlagsProtRead)
        return not_supported("cudaMemPoolSetAccess", " with cudaMemAccessFlagsProtRead");
      if (on_device && device == pool->device) {
        if (flags == cudaMemAccessFlagsProtNone) return cudaErrorInvalidDevice;
        continue;
      }
      if (on_device && runtime.link(device, pool->device) == nullptr) return cudaErrorInvalidDevice;
      access = flags == cudaMemAccessFlagsProtNone ? access & ~only_device(device) : access | only_device(device);
    }
    pool->access = access;
    for (const std::uint64_t address : pool->memory) runtime.memory.set_pool_access(address, access_to(*pool));
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t handle, cudaMemLocation* location) {
  return call(CallKind::query, "cudaMemPoolGetAccess", [&](Runtime& runtime) {
    const Pool* const pool = find_pool(handle);
    if (flags == nullptr || location == nullptr || pool == nullptr) return cudaErrorInvalidValue;
    if (location->type == cudaMemLocationTypeHostNumaCurrent) return cudaErrorInvalidValue;
    if (is_of_host(location->type)) {
      *flags = pool->host_access;
      return cudaSuccess;
    }
    if (location->type != cudaMemLocationTypeDevice || !is_device(runtime, location->id)) return cudaErrorInvalidDevice;
    const bool allowed = (pool->access & only_device(static_cast<unsigned>(location->id))) != 0;
    *flags = allowed ? cudaMemAccessFlagsProtReadWrite : cudaMemAccessFlagsProtNone;
    return cudaSuccess;
  });
}

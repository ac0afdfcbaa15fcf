// Pools by the place of their memory: of a device, for which there are also the calls that take a device, of the host,
// and managed ones. Answers are an H100's (2026-11-27).
#include "common/simulator/runtime/call.h"
#include "common/simulator/runtime/cuda_api.h"
#include "common/simulator/runtime/pools.h"

namespace {

using namespace warpbook::simulator::runtime;

/// Calls @p body(pools of the place).
template <class Body>
cudaError_t with_place(const char* name, const cudaMemLocation* location, cudaMemAllocationType type, Body body) {
  return call(CallKind::query, name, [&](Runtime& runtime) {
    if (location == nullptr) return cudaErrorInvalidValue;
    if (const cudaError_t error = check_place(runtime, *location, type)) return error;
    return body(pools_of(static_cast<unsigned>(location->id), type, location->type));
  });
}

cudaError_t give(cudaMemPool_t* handle, Pool* pool) {
  if (handle == nullptr) return cudaErrorInvalidValue;
  *handle = reinterpret_cast<cudaMemPool_t>(pool);
  return cudaSuccess;
}

}  // namespace

cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t* pool, cudaMemLocation* location, cudaMemAllocationType type) {
  return with_place("cudaMemGetDefaultMemPool", location, type,
                    [pool](const PlacePools& place) { return give(pool, place.usual); });
}

cudaError_t cudaMemGetMemPool(cudaMemPool_t* pool, cudaMemLocation* location, cudaMemAllocationType type) {
  return with_place("cudaMemGetMemPool", location, type,
                    [pool](const PlacePools& place) { return give(pool, place.current); });
}

cudaError_t cudaMemSetMemPool(cudaMemLocation* location, cudaMemAllocationType type, cudaMemPool_t handle) {
  return with_place("cudaMemSetMemPool", location, type, [&](PlacePools& place) {
    Pool* const pool = find_pool(handle);
    const bool fits = pool != nullptr && !pool->imported && pool->type == type && pool->location == location->type &&
                      pool->device == place.usual->device;
    if (!fits) return cudaErrorInvalidValue;
    place.current = pool;
    return cudaSuccess;
  });
}

// Pools by the location of their memory: device pools, for which there are also the calls that take a device. Pools of
// host memory and managed memory do not exist here.
#include "common/simulator/runtime/cuda_api.h"
#include "common/simulator/runtime/graph_entry.h"

namespace {

using namespace warpbook::simulator::runtime;

/// The error of the call for anything but pinned memory of a device.
cudaError_t about_location(const char* name, const cudaMemLocation* location, cudaMemAllocationType type) {
  if (location == nullptr) return refuse(name, cudaErrorInvalidValue);
  const bool pinned = type == cudaMemAllocationTypePinned, managed = type == cudaMemAllocationTypeManaged;
  const bool on_device = location->type == cudaMemLocationTypeDevice;
  const bool on_host = location->type == cudaMemLocationTypeHost || location->type == cudaMemLocationTypeHostNuma;
  const bool nowhere = managed && location->type == cudaMemLocationTypeNone;
  if ((!pinned && !managed) || (!on_device && !on_host && !nowhere)) return refuse(name, cudaErrorInvalidValue);
  return pinned && on_device ? cudaSuccess : refuse(name, cudaErrorNotSupported);
}

}  // namespace

cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t* pool, cudaMemLocation* location, cudaMemAllocationType type) {
  if (const auto error = about_location("cudaMemGetDefaultMemPool", location, type)) return error;
  return cudaDeviceGetDefaultMemPool(pool, location->id);
}

cudaError_t cudaMemGetMemPool(cudaMemPool_t* pool, cudaMemLocation* location, cudaMemAllocationType type) {
  if (const auto error = about_location("cudaMemGetMemPool", location, type)) return error;
  return cudaDeviceGetMemPool(pool, location->id);
}

cudaError_t cudaMemSetMemPool(cudaMemLocation* location, cudaMemAllocationType type, cudaMemPool_t pool) {
  if (const auto error = about_location("cudaMemSetMemPool", location, type)) return error;
  return cudaDeviceSetMemPool(location->id, pool);
}

// Managed memory. It is always coherent here: prefetches and advice are checked and accepted.
#include "common/simulator/runtime/call.h"
#include "common/simulator/runtime/cuda_api.h"
#include "common/simulator/runtime/memory_api.h"

namespace {

using namespace warpbook::simulator::runtime;
using warpbook::simulator::Allocation;
using warpbook::simulator::MemoryKind;

bool is_managed(const Runtime& runtime, const void* pointer, std::size_t bytes) {
  const auto address = reinterpret_cast<std::uint64_t>(pointer);
  const Allocation* allocation = runtime.memory.find(address);
  return allocation != nullptr && allocation->kind == MemoryKind::managed && allocation->contains(address, bytes);
}

cudaError_t check_location(const cudaMemLocation& location) {
  switch (location.type) {
    case cudaMemLocationTypeDevice:
      return location.id == 0 ? cudaSuccess : cudaErrorInvalidDevice;
    case cudaMemLocationTypeHost:
    case cudaMemLocationTypeHostNuma:
    case cudaMemLocationTypeHostNumaCurrent:
      return cudaSuccess;
    default:
      return cudaErrorInvalidValue;
  }
}

}  // namespace

cudaError_t cudaMallocManaged(void** pointer, size_t bytes, unsigned flags) {
  return call(CallKind::ordinary, "cudaMallocManaged", [&](Runtime& runtime) {
    if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost) return cudaErrorInvalidValue;
    return allocate(runtime, pointer, bytes, MemoryKind::managed, "cudaMallocManaged");
  });
}

cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, cudaMemLocation location, unsigned flags,
                                 cudaStream_t stream) {
  return call(CallKind::enqueue, "cudaMemPrefetchAsync", [&](Runtime& runtime) {
    if (runtime.find_stream(stream) == nullptr) return cudaErrorInvalidResourceHandle;
    if (flags != 0 || bytes == 0 || !is_managed(runtime, pointer, bytes)) return cudaErrorInvalidValue;
    return check_location(location);
  });
}

cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise advice, cudaMemLocation location) {
  return call(CallKind::ordinary, "cudaMemAdvise", [&](Runtime& runtime) {
    if (bytes == 0 || !is_managed(runtime, pointer, bytes)) return cudaErrorInvalidValue;
    if (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy) return cudaErrorInvalidValue;
    const bool about_location = advice != cudaMemAdviseSetReadMostly && advice != cudaMemAdviseUnsetReadMostly &&
                                advice != cudaMemAdviseUnsetPreferredLocation;
    return about_location ? check_location(location) : cudaSuccess;
  });
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* pointer, size_t bytes, unsigned flags) {
  return call(CallKind::enqueue, "cudaStreamAttachMemAsync", [&](Runtime& runtime) {
    if (runtime.find_stream(stream) == nullptr) return cudaErrorInvalidResourceHandle;
    if (!is_managed(runtime, pointer, bytes == 0 ? 1 : bytes)) return cudaErrorInvalidValue;
    if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost && flags != cudaMemAttachSingle) {
      return cudaErrorInvalidValue;
    }
    return cudaSuccess;
  });
}

// Batches of copies, prefetches and discards, and memory pools by location. Each call forwards to its counterpart in
// the runtime API.
#include "common/simulator/driver/driver_api.h"
#include "common/simulator/driver/graph_frame.h"

using namespace warpbook::simulator::driver;

namespace {

// The structures of both APIs have the same layout and the same enumerator values.
static_assert(sizeof(CUmemcpyAttributes) == sizeof(cudaMemcpyAttributes));
static_assert(sizeof(CUDA_MEMCPY3D_BATCH_OP) == sizeof(cudaMemcpy3DBatchOp));
static_assert(sizeof(CUmemLocation) == sizeof(cudaMemLocation));

cudaMemLocation* alike(CUmemLocation* places) { return reinterpret_cast<cudaMemLocation*>(places); }
void** pointers_of(CUdeviceptr* addresses) { return reinterpret_cast<void**>(addresses); }
cudaMemAllocationType alike(CUmemAllocationType type) { return static_cast<cudaMemAllocationType>(type); }

}  // namespace

CUresult cuMemcpyBatchAsync_v2(CUdeviceptr* to, CUdeviceptr* from, size_t* sizes, size_t count,
                               CUmemcpyAttributes* attributes, size_t* first, size_t entries, CUstream stream) {
  return as_driver([&] {
    return cudaMemcpyBatchAsync(pointers_of(to), pointers_of(from), sizes, count,
                                reinterpret_cast<cudaMemcpyAttributes*>(attributes), first, entries, stream);
  });
}

CUresult cuMemcpy3DBatchAsync_v2(size_t count, CUDA_MEMCPY3D_BATCH_OP* operations, unsigned long long flags,
                                 CUstream stream) {
  return as_driver(
      [&] { return cudaMemcpy3DBatchAsync(count, reinterpret_cast<cudaMemcpy3DBatchOp*>(operations), flags, stream); });
}

CUresult cuMemPrefetchBatchAsync(CUdeviceptr* pointers, size_t* sizes, size_t count, CUmemLocation* places,
                                 size_t* first, size_t entries, unsigned long long flags, CUstream stream) {
  return as_driver([&] {
    return cudaMemPrefetchBatchAsync(pointers_of(pointers), sizes, count, alike(places), first, entries, flags, stream);
  });
}

CUresult cuMemDiscardBatchAsync(CUdeviceptr* pointers, size_t* sizes, size_t count, unsigned long long flags,
                                CUstream stream) {
  return as_driver([&] { return cudaMemDiscardBatchAsync(pointers_of(pointers), sizes, count, flags, stream); });
}

CUresult cuMemDiscardAndPrefetchBatchAsync(CUdeviceptr* pointers, size_t* sizes, size_t count, CUmemLocation* places,
                                           size_t* first, size_t entries, unsigned long long flags, CUstream stream) {
  return as_driver([&] {
    return cudaMemDiscardAndPrefetchBatchAsync(pointers_of(pointers), sizes, count, alike(places), first, entries,
                                               flags, stream);
  });
}

CUresult cuMemGetDefaultMemPool(CUmemoryPool* pool, CUmemLocation* location, CUmemAllocationType type) {
  return as_driver([&] { return cudaMemGetDefaultMemPool(pool, alike(location), alike(type)); });
}

CUresult cuMemGetMemPool(CUmemoryPool* pool, CUmemLocation* location, CUmemAllocationType type) {
  return as_driver([&] { return cudaMemGetMemPool(pool, alike(location), alike(type)); });
}

CUresult cuMemSetMemPool(CUmemLocation* location, CUmemAllocationType type, CUmemoryPool pool) {
  return as_driver([&] { return cudaMemSetMemPool(alike(location), alike(type), pool); });
}

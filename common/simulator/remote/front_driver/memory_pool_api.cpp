// Attributes of pools and of ranges of managed memory.
#include "common/simulator/driver/driver_api.h"
#include "common/simulator/driver/results.h"
#include "common/simulator/remote/front/pool_files.h"
#include "common/simulator/runtime/cuda_api.h"

using warpbook::simulator::driver::result_of;
using warpbook::simulator::remote::export_pool_file;
using warpbook::simulator::remote::import_pool_file;

CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void* value) {
  return result_of(cudaMemPoolGetAttribute(pool, static_cast<cudaMemPoolAttr>(attribute), value));
}

CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void* value) {
  return result_of(cudaMemPoolSetAttribute(pool, static_cast<cudaMemPoolAttr>(attribute), value));
}

CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc* descriptions, size_t count) {
  return result_of(cudaMemPoolSetAccess(pool, reinterpret_cast<const cudaMemAccessDesc*>(descriptions), count));
}

CUresult cuMemPoolExportToShareableHandle(void* handle, CUmemoryPool pool, CUmemAllocationHandleType type,
                                          unsigned long long flags) {
  return result_of(
      export_pool_file(true, handle, pool, static_cast<cudaMemAllocationHandleType>(type), flags == 0 ? 0 : 1));
}

CUresult cuMemPoolImportFromShareableHandle(CUmemoryPool* pool, void* handle, CUmemAllocationHandleType type,
                                            unsigned long long flags) {
  return result_of(
      import_pool_file(true, pool, handle, static_cast<cudaMemAllocationHandleType>(type), flags == 0 ? 0 : 1));
}

CUresult cuMemRangeGetAttribute(void* data, size_t data_bytes, CUmem_range_attribute attribute, CUdeviceptr address,
                                size_t bytes) {
  return result_of(cudaMemRangeGetAttribute(data, data_bytes, static_cast<cudaMemRangeAttribute>(attribute),
                                            reinterpret_cast<const void*>(address), bytes));
}

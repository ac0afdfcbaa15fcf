// Stream-ordered memory, pools, pitched and managed memory. Each call forwards to its counterpart in the runtime API.
#include "common/simulator/driver/driver_call.h"
#include "common/simulator/runtime/cuda_api.h"

using namespace warpbook::simulator::driver;

namespace {

void** pointer_at(CUdeviceptr* address) { return reinterpret_cast<void**>(address); }
void* memory_at(CUdeviceptr address) { return reinterpret_cast<void*>(address); }

static_assert(sizeof(CUmemPoolProps) == sizeof(cudaMemPoolProps) && sizeof(CUmemLocation) == sizeof(cudaMemLocation));

cudaMemLocation alike(const CUmemLocation& location) {
  return {static_cast<cudaMemLocationType>(location.type), location.id};
}

}  // namespace

CUresult cuMemAllocPitch_v2(CUdeviceptr* address, size_t* pitch, size_t width, size_t height, unsigned element) {
  if (element != 4 && element != 8 && element != 16) return CUDA_ERROR_INVALID_VALUE;
  const CUresult error = forward([&] { return cudaMallocPitch(pointer_at(address), pitch, width, height); });
  if (error == CUDA_SUCCESS) current_context()->device_memory.insert(*address);
  return error;
}

CUresult cuMemAllocAsync(CUdeviceptr* address, size_t bytes, CUstream stream) {
  return forward([&] { return cudaMallocAsync(pointer_at(address), bytes, stream); });
}

CUresult cuMemAllocFromPoolAsync(CUdeviceptr* address, size_t bytes, CUmemoryPool pool, CUstream stream) {
  return forward([&] { return cudaMallocFromPoolAsync(pointer_at(address), bytes, pool, stream); });
}

CUresult cuMemFreeAsync(CUdeviceptr address, CUstream stream) {
  return forward([&] { return cudaFreeAsync(memory_at(address), stream); });
}

CUresult cuDeviceGetDefaultMemPool(CUmemoryPool* pool, CUdevice device) {
  return forward([&] { return cudaDeviceGetDefaultMemPool(pool, device); }, Needs::initialised);
}

CUresult cuDeviceGetMemPool(CUmemoryPool* pool, CUdevice device) {
  return forward([&] { return cudaDeviceGetMemPool(pool, device); }, Needs::initialised);
}

CUresult cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool) {
  return forward([&] { return cudaDeviceSetMemPool(device, pool); }, Needs::initialised);
}

CUresult cuMemPoolCreate(CUmemoryPool* pool, const CUmemPoolProps* properties) {
  return forward([&] { return cudaMemPoolCreate(pool, reinterpret_cast<const cudaMemPoolProps*>(properties)); });
}

CUresult cuMemPoolDestroy(CUmemoryPool pool) {
  return forward([&] { return cudaMemPoolDestroy(pool); });
}

CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t bytes) {
  return forward([&] { return cudaMemPoolTrimTo(pool, bytes); });
}

CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void* value) {
  return forward([&] { return cudaMemPoolGetAttribute(pool, static_cast<cudaMemPoolAttr>(attribute), value); });
}

CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void* value) {
  return forward([&] { return cudaMemPoolSetAttribute(pool, static_cast<cudaMemPoolAttr>(attribute), value); });
}

CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc* descriptions, size_t count) {
  return forward(
      [&] { return cudaMemPoolSetAccess(pool, reinterpret_cast<const cudaMemAccessDesc*>(descriptions), count); });
}

CUresult cuMemPoolGetAccess(CUmemAccess_flags* flags, CUmemoryPool pool, CUmemLocation* location) {
  if (flags == nullptr || location == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return forward([&] {
    cudaMemAccessFlags same{};
    cudaMemLocation place = alike(*location);
    const cudaError_t error = cudaMemPoolGetAccess(&same, pool, &place);
    *flags = static_cast<CUmemAccess_flags>(same);
    return error;
  });
}

CUresult cuMemPoolExportPointer(CUmemPoolPtrExportData* data, CUdeviceptr address) {
  static_assert(sizeof(CUmemPoolPtrExportData) == sizeof(cudaMemPoolPtrExportData));
  return forward(
      [&] { return cudaMemPoolExportPointer(reinterpret_cast<cudaMemPoolPtrExportData*>(data), memory_at(address)); });
}

CUresult cuMemPoolImportPointer(CUdeviceptr* address, CUmemoryPool pool, CUmemPoolPtrExportData* data) {
  return forward([&] {
    return cudaMemPoolImportPointer(pointer_at(address), pool, reinterpret_cast<cudaMemPoolPtrExportData*>(data));
  });
}

CUresult cuMemPoolExportToShareableHandle(void* handle, CUmemoryPool pool, CUmemAllocationHandleType type,
                                          unsigned long long flags) {
  return forward([&] {
    return cudaMemPoolExportToShareableHandle(handle, pool, static_cast<cudaMemAllocationHandleType>(type),
                                              flags == 0 ? 0 : 1);
  });
}

CUresult cuMemPoolImportFromShareableHandle(CUmemoryPool* pool, void* handle, CUmemAllocationHandleType type,
                                            unsigned long long flags) {
  return forward([&] {
    return cudaMemPoolImportFromShareableHandle(pool, handle, static_cast<cudaMemAllocationHandleType>(type),
                                                flags == 0 ? 0 : 1);
  });
}

CUresult cuMemPrefetchAsync_v2(CUdeviceptr address, size_t bytes, CUmemLocation location, unsigned flags,
                               CUstream stream) {
  return forward([&] { return cudaMemPrefetchAsync(memory_at(address), bytes, alike(location), flags, stream); });
}

CUresult cuMemAdvise_v2(CUdeviceptr address, size_t bytes, CUmem_advise advice, CUmemLocation location) {
  return forward(
      [&] { return cudaMemAdvise(memory_at(address), bytes, static_cast<cudaMemoryAdvise>(advice), alike(location)); });
}

CUresult cuMemRangeGetAttribute(void* data, size_t data_bytes, CUmem_range_attribute attribute, CUdeviceptr address,
                                size_t bytes) {
  return forward([&] {
    return cudaMemRangeGetAttribute(data, data_bytes, static_cast<cudaMemRangeAttribute>(attribute), memory_at(address),
                                    bytes);
  });
}

CUresult cuStreamAttachMemAsync(CUstream stream, CUdeviceptr address, size_t bytes, unsigned flags) {
  return forward([&] { return cudaStreamAttachMemAsync(stream, memory_at(address), bytes, flags); });
}

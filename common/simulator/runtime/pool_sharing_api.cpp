// Pool memory that processes share.
#include <cstring>

#include "common/simulator/runtime/call.h"
#include "common/simulator/runtime/ipc.h"
#include "common/simulator/runtime/pools.h"

using namespace warpbook::simulator::runtime;

cudaError_t cudaMemPoolExportPointer(cudaMemPoolPtrExportData* data, void* pointer) {
  return call(CallKind::ordinary, "cudaMemPoolExportPointer", [&](Runtime& runtime) {
    const Pool* const pool = shared_pool_with(pointer);
    if (data == nullptr || pool == nullptr) return cudaErrorInvalidValue;
    return runtime.ipc->data_of(pointer, pool->number, *data);
  });
}

cudaError_t cudaMemPoolImportPointer(void** pointer, cudaMemPool_t handle, cudaMemPoolPtrExportData* data) {
  return call(CallKind::ordinary, "cudaMemPoolImportPointer", [&](Runtime& runtime) {
    Pool* const pool = find_pool(handle);
    if (pointer == nullptr || data == nullptr || pool == nullptr || !pool->imported) return cudaErrorInvalidValue;
    return import_pointer(runtime, *pool, *data, pointer);
  });
}

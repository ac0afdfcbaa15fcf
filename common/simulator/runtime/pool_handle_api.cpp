// Pools as file descriptors that the program passes on.
#include <cstdint>

#include "common/simulator/runtime/call.h"
#include "common/simulator/runtime/pools.h"

using namespace warpbook::simulator::runtime;

cudaError_t cudaMemPoolExportToShareableHandle(void* handle, cudaMemPool_t pool, cudaMemAllocationHandleType type,
                                               unsigned flags) {
  if (handle == nullptr) return remember(cudaErrorInvalidValue);
  PoolDescription description;
  if (const cudaError_t error = export_pool(pool, type, flags, description)) return error;
  const int file = make_pool_file(description);
  if (file < 0) return remember(cudaErrorUnknown);
  *static_cast<int*>(handle) = file;
  return cudaSuccess;
}

cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t* pool, void* handle, cudaMemAllocationHandleType type,
                                                 unsigned flags) {
  const bool fits = pool != nullptr && type == cudaMemHandleTypePosixFileDescriptor && flags == 0;
  if (!fits) return remember(cudaErrorInvalidValue);
  PoolDescription description;
  if (!read_pool_file(static_cast<int>(reinterpret_cast<std::intptr_t>(handle)), description))
    return remember(cudaErrorUnknown);
  return import_pool(description, pool);
}

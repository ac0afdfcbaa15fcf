// Pools as files, for the calls of both APIs.
#pragma once

#include "common/simulator/runtime/cuda_api.h"

namespace warpbook::simulator::remote {

/// @param of_driver does not change the runtime's last error
cudaError_t export_pool_file(bool of_driver, void* handle, cudaMemPool_t pool, cudaMemAllocationHandleType type,
                             unsigned flags);
cudaError_t import_pool_file(bool of_driver, cudaMemPool_t* pool, void* handle, cudaMemAllocationHandleType type,
                             unsigned flags);

}  // namespace warpbook::simulator::remote

// Parameters of graph nodes, from the driver's structures to the runtime's and back.
#pragma once

#include <cstring>

#include "common/simulator/driver/results.h"

namespace warpbook::simulator::driver {

cudaKernelNodeParams runtime_kernel(const CUDA_KERNEL_NODE_PARAMS& parameters);
CUDA_KERNEL_NODE_PARAMS driver_kernel(const cudaKernelNodeParams& parameters);
cudaMemcpy3DParms runtime_copy(const CUDA_MEMCPY3D& parameters);
CUDA_MEMCPY3D driver_copy(const cudaMemcpy3DParms& parameters);
/// The contents of a CUgraphNodeParams. @see give_back
cudaGraphNodeParams runtime_any(const CUgraphNodeParams& parameters);
/// Copies back the fields that creating the node has filled in.
void give_back(const cudaGraphNodeParams& from, CUgraphNodeParams& to);

/// For structures with the same layout in both APIs.
template <class To, class From>
To* alike(From* from) {
  static_assert(sizeof(To) == sizeof(From));
  return reinterpret_cast<To*>(from);
}

}  // namespace warpbook::simulator::driver

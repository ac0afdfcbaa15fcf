// Clusters of a launch in the driver API. Each call forwards to its counterpart in the runtime API.
#include "common/simulator/driver/driver_api.h"
#include "common/simulator/driver/graph_frame.h"

using namespace warpbook::simulator::driver;

namespace {

/// The attributes of both APIs have the same numbers and the same layout.
cudaLaunchConfig_t runtime_config(const CUlaunchConfig& config) {
  static_assert(sizeof(cudaLaunchAttribute) == sizeof(CUlaunchAttribute));
  cudaLaunchConfig_t same{};
  same.gridDim = {config.gridDimX, config.gridDimY, config.gridDimZ};
  same.blockDim = {config.blockDimX, config.blockDimY, config.blockDimZ};
  same.dynamicSmemBytes = config.sharedMemBytes;
  same.stream = config.hStream;
  same.attrs = reinterpret_cast<cudaLaunchAttribute*>(config.attrs);
  same.numAttrs = config.numAttrs;
  return same;
}

}  // namespace

CUresult cuOccupancyMaxActiveClusters(int* count, CUfunction function, const CUlaunchConfig* config) {
  if (config == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const cudaLaunchConfig_t same = runtime_config(*config);
  return as_driver(
      [&] { return cudaOccupancyMaxActiveClusters(count, reinterpret_cast<const void*>(function), &same); });
}

CUresult cuOccupancyMaxPotentialClusterSize(int* size, CUfunction function, const CUlaunchConfig* config) {
  if (config == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const cudaLaunchConfig_t same = runtime_config(*config);
  return as_driver(
      [&] { return cudaOccupancyMaxPotentialClusterSize(size, reinterpret_cast<const void*>(function), &same); });
}

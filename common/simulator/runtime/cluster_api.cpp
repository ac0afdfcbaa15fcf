// The number of clusters of a launch that a device holds, and the largest cluster that it accepts.
#include "common/simulator/runtime/graph_entry.h"

namespace {

using namespace warpbook::simulator::runtime;

/// @param size queries the largest cluster size, otherwise how many clusters of the given size fit at a time
cudaError_t clusters(const char* name, int* out, const void* function, const cudaLaunchConfig_t* config, bool size) {
  if (out == nullptr || config == nullptr) return refuse(name, cudaErrorInvalidValue);
  GraphRequest request = graph_request(GraphCall::clusters, name, number_of(function), 0, size ? 1 : 0);
  NodeValues& launch = request.values;
  launch.type = cudaGraphNodeTypeKernel;
  launch.grid = {config->gridDim.x, config->gridDim.y, config->gridDim.z};
  launch.block = {config->blockDim.x, config->blockDim.y, config->blockDim.z};
  launch.shared_bytes = config->dynamicSmemBytes;
  for (unsigned i = 0; i < config->numAttrs; ++i) {
    const auto& dimension = config->attrs[i].val.clusterDim;
    if (config->attrs[i].id == cudaLaunchAttributeClusterDimension)
      launch.cluster = {dimension.x, dimension.y, dimension.z};
  }
  const GraphReply reply = ask_graph(request);
  if (reply.error == cudaSuccess) *out = static_cast<int>(reply.handle);
  return reply.error;
}

}  // namespace

cudaError_t cudaOccupancyMaxActiveClusters(int* count, const void* function, const cudaLaunchConfig_t* config) {
  return clusters("cudaOccupancyMaxActiveClusters", count, function, config, false);
}

cudaError_t cudaOccupancyMaxPotentialClusterSize(int* size, const void* function, const cudaLaunchConfig_t* config) {
  return clusters("cudaOccupancyMaxPotentialClusterSize", size, function, config, true);
}

// Computes how many clusters of a launch the device holds, as on an H200 (2026-11-23).
#include <algorithm>

#include "common/simulator/machine/cluster.h"
#include "common/simulator/model/occupancy.h"
#include "common/simulator/runtime/graph_calls.h"
#include "common/simulator/runtime/graph_node.h"

namespace warpbook::simulator::runtime::graph_calls {

cudaError_t clusters(Runtime& runtime, const GraphRequest& request, GraphReply& reply) {
  Kernel* const kernel = registry().find_kernel(reinterpret_cast<const void*>(request.first));
  if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
  const NodeValues& values = request.values;
  const Dim3 grid = dim3_of(values.grid), block = dim3_of(values.block);
  if (grid.count() == 0 || block.count() == 0) return cudaErrorInvalidValue;
  GridRun run;
  run.cluster = dim3_of(values.cluster);
  run.planned = true;
  const cudaError_t error = check_launch(runtime, *kernel, grid, block, values.shared_bytes, run);
  if (error == cudaErrorInvalidClusterSize || run.resources.function == nullptr) return error;
  reply.handle = 0;
  if (error != cudaSuccess) return cudaSuccess;  // A block that does not fit on the device.
  const bool wants_size = request.flags != 0;
  reply.handle =
      wants_size ? (kernel->settings().non_portable_cluster ? kMostBlocksOfCluster : kMostPortableBlocksOfCluster)
                 : active_clusters(runtime.device(), run.resident.blocks, static_cast<unsigned>(run.cluster.count()));
  return cudaSuccess;
}

}  // namespace warpbook::simulator::runtime::graph_calls

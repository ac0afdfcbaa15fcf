// Clusters in graphs, captured and explicit, and how many clusters a device can hold. An H200 gave every answer that is
// checked here (2026-11-24).
#include <cooperative_groups.h>

#include <cstring>
#include <vector>

#include "common/simulator/runtime/tests/check.h"

__global__ void ranks(unsigned* out) {
  const auto cluster = cooperative_groups::this_cluster();
  cluster.sync();
  if (threadIdx.x == 0) out[blockIdx.x] = cluster.num_blocks() * 100 + cluster.block_rank();
}

__global__ void __cluster_dims__(2, 1, 1) ranks_of_two(unsigned* out) {
  const auto cluster = cooperative_groups::this_cluster();
  cluster.sync();
  if (threadIdx.x == 0) out[blockIdx.x] = cluster.num_blocks() * 100 + cluster.block_rank();
}

static unsigned* memory;
static cudaStream_t stream;

struct Launch {
  cudaLaunchAttribute attribute{};
  cudaLaunchConfig_t config{};
  /// @param cluster 0: the launch has no such attribute
  Launch(unsigned grid, unsigned cluster, unsigned block = 32, std::size_t shared = 0) {
    config.gridDim = grid;
    config.blockDim = block;
    config.dynamicSmemBytes = shared;
    config.stream = stream;
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim = {cluster, 1, 1};
    config.attrs = &attribute;
    config.numAttrs = cluster == 0 ? 0 : 1;
  }
};

static unsigned cluster_of(cudaGraphNode_t node) {
  cudaLaunchAttributeValue value;
  std::memset(&value, 0x55, sizeof value);
  SUCCEEDS(cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributeClusterDimension, &value));
  CHECK(value.clusterDim.y == (value.clusterDim.x != 0) && value.clusterDim.z == (value.clusterDim.x != 0));
  return value.clusterDim.x;
}

static cudaError_t set_cluster(cudaGraphNode_t node, unsigned x, unsigned y = 1) {
  cudaLaunchAttributeValue value{};
  value.clusterDim = {x, y, x == 0 && y == 0 ? 0u : 1u};
  return cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeClusterDimension, &value);
}

/// Launches the graph: it must have clusters of @p cluster blocks. @param told the blocks must see that size, too
static void check_run(cudaGraphExec_t exec, unsigned cluster, unsigned grid = 8, bool told = true) {
  SUCCEEDS(cudaMemset(memory, 0, 256));
  SUCCEEDS(cudaGraphLaunch(exec, stream));
  SUCCEEDS(cudaStreamSynchronize(stream));
  std::vector<unsigned> out(grid);
  SUCCEEDS(cudaMemcpy(out.data(), memory, grid * sizeof(unsigned), cudaMemcpyDeviceToHost));
  for (unsigned i = 0; i < grid; ++i) {
    CHECK(out[i] % 100 == i % cluster);
    if (told) CHECK(out[i] / 100 == cluster);
  }
}

template <class Kernel>
static void check_capture(Kernel* kernel, unsigned grid, unsigned cluster, unsigned noted, unsigned runs) {
  const Launch launch(grid, cluster);
  void* arguments[] = {&memory};
  cudaGraph_t graph, copy;
  SUCCEEDS(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  SUCCEEDS(cudaLaunchKernelExC(&launch.config, reinterpret_cast<void*>(kernel), arguments));
  SUCCEEDS(cudaStreamEndCapture(stream, &graph));
  SUCCEEDS(cudaGraphClone(&copy, graph));
  for (cudaGraph_t each : {graph, copy}) {
    cudaGraphNode_t node;
    std::size_t count = 1;
    SUCCEEDS(cudaGraphGetNodes(each, &node, &count));
    CHECK(cluster_of(node) == noted);
    cudaLaunchAttributeValue value{};
    SUCCEEDS(cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributeClusterSchedulingPolicyPreference, &value));
    CHECK(value.clusterSchedulingPolicyPreference == cudaClusterSchedulingPolicySpread);
    cudaGraphExec_t exec;
    SUCCEEDS(cudaGraphInstantiate(&exec, each, 0));
    check_run(exec, runs, grid);
  }
}

template <class Kernel>
static void check_refused_capture(Kernel* kernel, unsigned grid, unsigned cluster) {
  const Launch launch(grid, cluster);
  void* arguments[] = {&memory};
  cudaGraph_t graph;
  SUCCEEDS(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  ANSWERS(cudaErrorInvalidClusterSize, cudaLaunchKernelExC(&launch.config, reinterpret_cast<void*>(kernel), arguments));
  ANSWERS(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(stream, &graph));
  cudaGetLastError();
}

template <class Kernel>
static cudaKernelNodeParams parameters_of(Kernel* kernel, unsigned grid) {
  static void* arguments[] = {&memory};
  cudaKernelNodeParams parameters{};
  parameters.func = reinterpret_cast<void*>(kernel);
  parameters.gridDim = grid;
  parameters.blockDim = 32;
  parameters.kernelParams = arguments;
  return parameters;
}

template <class Kernel>
static cudaGraphNode_t add(cudaGraph_t graph, Kernel* kernel, unsigned grid) {
  const cudaKernelNodeParams parameters = parameters_of(kernel, grid);
  cudaGraphNode_t node = nullptr;
  SUCCEEDS(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &parameters));
  return node;
}

static void check_nodes() {
  cudaGraph_t graph;
  SUCCEEDS(cudaGraphCreate(&graph, 0));
  const cudaGraphNode_t node = add(graph, ranks, 8);
  CHECK(cluster_of(node) == 0);
  for (const unsigned wrong : {3u, 16u}) ANSWERS(cudaErrorInvalidClusterSize, set_cluster(node, wrong));
  ANSWERS(cudaErrorInvalidClusterSize, set_cluster(node, 1, 0));
  CHECK(cluster_of(node) == 0);
  SUCCEEDS(set_cluster(node, 2));
  CHECK(cluster_of(node) == 2);
  cudaGraphExec_t exec;
  SUCCEEDS(cudaGraphInstantiate(&exec, graph, 0));
  check_run(exec, 2);
  cudaKernelNodeParams parameters = parameters_of(ranks, 6);
  SUCCEEDS(cudaGraphExecKernelNodeSetParams(exec, node, &parameters));
  check_run(exec, 2, 6);
  parameters = parameters_of(ranks, 5);
  ANSWERS(cudaErrorInvalidClusterSize, cudaGraphExecKernelNodeSetParams(exec, node, &parameters));
  ANSWERS(cudaErrorInvalidClusterSize, cudaGraphKernelNodeSetParams(node, &parameters));
  check_run(exec, 2, 6);
  SUCCEEDS(set_cluster(node, 4));
  cudaGraphExecUpdateResultInfo info{};
  SUCCEEDS(cudaGraphExecUpdate(exec, graph, &info));
  // After a launch, the blocks on an H200 (driver 580.159) get ranks 0 to 3, but still see a cluster size of two.
  check_run(exec, 4, 8, false);
  parameters = parameters_of(ranks_of_two, 8);
  ANSWERS(cudaErrorInvalidClusterSize, cudaGraphExecKernelNodeSetParams(exec, node, &parameters));
  SUCCEEDS(set_cluster(node, 0, 0));
  CHECK(cluster_of(node) == 0);
  // An update without a size leaves the size that there was.
  SUCCEEDS(cudaGraphExecUpdate(exec, graph, &info));
  CHECK(info.result == cudaGraphExecUpdateSuccess);
  check_run(exec, 4, 8, false);

  cudaGraph_t other;
  SUCCEEDS(cudaGraphCreate(&other, 0));
  const cudaGraphNode_t compiled = add(other, ranks_of_two, 8);
  CHECK(cluster_of(compiled) == 0);
  ANSWERS(cudaErrorInvalidClusterSize, set_cluster(compiled, 4));
  cudaGraphNode_t none = nullptr;
  parameters = parameters_of(ranks_of_two, 7);
  ANSWERS(cudaErrorInvalidClusterSize, cudaGraphAddKernelNode(&none, other, nullptr, 0, &parameters));
  SUCCEEDS(cudaGraphInstantiate(&exec, other, 0));
  check_run(exec, 2);
  SUCCEEDS(set_cluster(node, 8));
  parameters = parameters_of(ranks, 8);
  SUCCEEDS(cudaGraphKernelNodeSetParams(compiled, &parameters));
  SUCCEEDS(cudaGraphKernelNodeCopyAttributes(compiled, node));
  CHECK(cluster_of(compiled) == 8);
  cudaGetLastError();
}

template <class Kernel>
static void check_held(Kernel* kernel, const Launch& launch, int clusters, int size) {
  int active = -1, largest = -1;
  SUCCEEDS(cudaOccupancyMaxActiveClusters(&active, kernel, &launch.config));
  SUCCEEDS(cudaOccupancyMaxPotentialClusterSize(&largest, kernel, &launch.config));
  CHECK(active == clusters);
  CHECK(largest == size);
  if (active != clusters) std::printf("%d clusters, not %d\n", active, clusters);
}

template <class Kernel>
static void check_not_held(cudaError_t error, Kernel* kernel, const Launch& launch) {
  int value = -1;
  ANSWERS(error, cudaOccupancyMaxActiveClusters(&value, kernel, &launch.config));
  ANSWERS(error, cudaOccupancyMaxPotentialClusterSize(&value, kernel, &launch.config));
  CHECK(value == -1);
  cudaGetLastError();
}

static void check_occupancy() {
  constexpr std::size_t kKiB = 1024;
  check_held(ranks, Launch(64, 0), 0, 8);
  check_held(ranks, Launch(64, 1), 1056, 8);
  check_held(ranks, Launch(64, 2), 528, 8);
  check_held(ranks, Launch(64, 8), 124, 8);
  check_held(ranks, Launch(64, 2, 1024), 132, 8);
  check_held(ranks, Launch(64, 8, 1024), 30, 8);
  check_held(ranks, Launch(64, 2, 128, 48 * kKiB), 264, 8);
  check_held(ranks_of_two, Launch(64, 0), 528, 8);
  check_held(ranks, Launch(64, 2, 1025), 0, 0);
  check_held(ranks, Launch(64, 2, 128, 100 * kKiB), 0, 0);
  SUCCEEDS(cudaFuncSetAttribute(ranks, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 * kKiB));
  check_held(ranks, Launch(64, 2, 128, 200 * kKiB), 66, 8);
  check_held(ranks, Launch(64, 8, 128, 200 * kKiB), 15, 8);
  check_held(ranks, Launch(64, 4, 128, 100 * kKiB), 62, 8);
  for (const unsigned wrong : {3u, 16u}) check_not_held(cudaErrorInvalidClusterSize, ranks, Launch(64, wrong));
  check_not_held(cudaErrorInvalidClusterSize, ranks_of_two, Launch(64, 4));
  check_not_held(cudaErrorInvalidValue, ranks, Launch(0, 2));
  check_not_held(cudaErrorInvalidValue, ranks, Launch(64, 2, 0));
  SUCCEEDS(cudaFuncSetAttribute(ranks, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
  const int wanted[] = {30, 23, 21, 16, 16, 14, 14, 14, 14, 4, 4};
  for (unsigned cluster = 8; cluster <= 18; ++cluster)
    check_held(ranks, Launch(cluster * 4, cluster, 1024), wanted[cluster - 8], 16);
  check_held(ranks, Launch(64, 16, 128, 200 * kKiB), 7, 16);
  check_held(ranks, Launch(64, 32), 0, 16);
  // A node's limit is higher than a launch's.
  cudaGraph_t graph;
  SUCCEEDS(cudaGraphCreate(&graph, 0));
  const cudaGraphNode_t node = add(graph, ranks, 32);
  cudaGraphExec_t exec;
  SUCCEEDS(set_cluster(node, 16));
  SUCCEEDS(cudaGraphInstantiate(&exec, graph, 0));
  check_run(exec, 16, 32);
  SUCCEEDS(set_cluster(node, 32));
  ANSWERS(cudaErrorInvalidClusterSize, cudaGraphInstantiate(&exec, graph, 0));
}

int main() {
  SUCCEEDS(cudaMalloc(&memory, 4096));
  SUCCEEDS(cudaStreamCreate(&stream));
  check_capture(ranks, 8, 2, 2, 2);
  check_capture(ranks, 8, 1, 1, 1);
  check_capture(ranks, 8, 0, 0, 1);
  check_capture(ranks_of_two, 8, 0, 2, 2);
  check_refused_capture(ranks, 8, 3);
  check_refused_capture(ranks_of_two, 8, 4);
  check_refused_capture(ranks_of_two, 7, 0);
  check_nodes();
  check_occupancy();
  return report();
}

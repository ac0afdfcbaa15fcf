// Warps count by ballots, four threads write the nodes, blocks launch in the NULL stream, and a kernel writes the root.
#include "quadtree.h"

#define split_block right_split_block
#define split_kernel right_split_kernel
#define split right_split
#define build_kernel right_build_kernel
#define build right_build
#include "solutions/dynamic_parallelism/quadtree/quadtree.cu"
#undef split_block
#undef split_kernel
#undef split
#undef build_kernel
#undef build

constexpr int kBlockSize = 256;

__device__ void split_block(int2* points, int2* scratch, int count, int x, int y, int side, int* starts) {
  __shared__ int next[4];
  const int lane = threadIdx.x % 32;
  if (threadIdx.x < 4) next[threadIdx.x] = 0;
  __syncthreads();
  for (int first = threadIdx.x - lane; first < count; first += kBlockSize) {
    const int q = first + lane < count ? quadrant_of(points[first + lane], x, y, side) : 4;
    for (int of = 0; of < 4; ++of) {
      const unsigned there = __ballot_sync(~0u, q == of);
      if (lane == of && there != 0) atomicAdd(&next[of], __popc(there));
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    starts[0] = 0;
    for (int q = 0; q < 4; ++q) starts[q + 1] = starts[q] + next[q];
    for (int q = 0; q < 4; ++q) next[q] = starts[q];
  }
  __syncthreads();
  for (int first = threadIdx.x - lane; first < count; first += kBlockSize) {
    const int2 point = first + lane < count ? points[first + lane] : int2{};
    const int q = first + lane < count ? quadrant_of(point, x, y, side) : 4;
    for (int of = 0; of < 4; ++of) {
      const unsigned there = __ballot_sync(~0u, q == of);
      int begin = 0;
      if (lane == 0 && there != 0) begin = atomicAdd(&next[of], __popc(there));
      begin = __shfl_sync(~0u, begin, 0);
      if (q == of) scratch[begin + __popc(there & ((1u << lane) - 1))] = point;
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < count; i += kBlockSize) points[i] = scratch[i];
  __syncthreads();
}

__global__ void split_kernel(int2* points, int2* scratch, int count, int x, int y, int side, int* starts) {
  __shared__ int found[5];
  split_block(points, scratch, count, x, y, side, found);
  if (threadIdx.x < 5) starts[threadIdx.x] = found[threadIdx.x];
}

void split(int2* points, int2* scratch, int count, int x, int y, int side, int* starts) {
  split_kernel<<<1, kBlockSize>>>(points, scratch, count, x, y, side, starts);
}

__global__ void build_kernel(Tree tree, int first, int level) {
  __shared__ int starts[5], child;
  const Node node = tree.nodes[first + blockIdx.x];
  if (node.count <= tree.min_points || level >= tree.max_levels) return;
  if (threadIdx.x == 0) child = atomicAdd(tree.node_count, 4);
  split_block(tree.points + node.first, tree.scratch + node.first, node.count, node.x, node.y, node.side, starts);
  const int q = threadIdx.x, half = node.side / 2;
  if (q < 4)
    tree.nodes[child + q] = {node.x + q % 2 * half,  node.y + q / 2 * half,     half,
                             node.first + starts[q], starts[q + 1] - starts[q], -1};
  __syncthreads();
  if (q != 0) return;
  tree.nodes[first + blockIdx.x].child = child;
  build_kernel<<<4, kBlockSize>>>(tree, child, level + 1);
}

__global__ void begin_kernel(const int2* points, int count, Tree tree) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) tree.points[i] = points[i];
  if (i != 0) return;
  tree.nodes[0] = {0, 0, kWorld, 0, count, -1};
  *tree.node_count = 1;
}

void build(const int2* points, int count, int min_points, int max_levels, int2* sorted, int2* scratch, Node* nodes,
           int* node_count) {
  const Tree tree{sorted, scratch, nodes, node_count, min_points, max_levels};
  begin_kernel<<<count / kBlockSize + 1, kBlockSize>>>(points, count, tree);
  build_kernel<<<1, kBlockSize>>>(tree, 0, 1);
}

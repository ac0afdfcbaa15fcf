// Four launches of one block for each node that is split, in the NULL stream: each waits for the one before.
#include "common/cuda/check.cuh"
#include "quadtree.h"

constexpr int kThreads = 128;  // Threads in a block of every kernel here.

// ---- Questions ------------------------------------------------------------------------------------------------------

int predict_levels(int side, int min_points) {
  int levels = 1;
  for (int count = side * side; count > min_points; count /= 4) ++levels;
  return levels;
}

int predict_launches(int side, int min_points) {
  int launches = 0, nodes = 1;  // Nodes of a level; all of a level are split, or none.
  for (int count = side * side; count > min_points; count /= 4, nodes *= 4) launches += nodes;
  return launches;
}

// ---- Part 1: one square ---------------------------------------------------------------------------------------------

__device__ int quadrant_of(int2 point, int x, int y, int side) {
  return (point.x >= x + side / 2 ? 1 : 0) + (point.y >= y + side / 2 ? 2 : 0);
}

// All threads of a block sort `count` points by their quadrants. `starts` is in shared memory.
__device__ void split_block(int2* points, int2* scratch, int count, int x, int y, int side, int* starts) {
  // First the points of each quadrant, then where the next one of them goes.
  [[maybe_unused]] __shared__ int next[4];
  if (threadIdx.x < 4) next[threadIdx.x] = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < count; i += kThreads) atomicAdd(&next[quadrant_of(points[i], x, y, side)], 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    starts[0] = 0;
    for (int q = 0; q < 4; ++q) {
      starts[q + 1] = starts[q] + next[q];
      next[q] = starts[q];
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < count; i += kThreads)
    scratch[atomicAdd(&next[quadrant_of(points[i], x, y, side)], 1)] = points[i];
  __syncthreads();
  for (int i = threadIdx.x; i < count; i += kThreads) points[i] = scratch[i];
  __syncthreads();
}

__global__ void split_kernel(int2* points, int2* scratch, int count, int x, int y, int side, int* result) {
  __shared__ int starts[5];
  split_block(points, scratch, count, x, y, side, starts);
  if (threadIdx.x < 5) result[threadIdx.x] = starts[threadIdx.x];
}

void split(int2* points, int2* scratch, int count, int x, int y, int side, int* starts) {
  split_kernel<<<1, kThreads>>>(points, scratch, count, x, y, side, starts);
}

// ---- Part 2: the tree -----------------------------------------------------------------------------------------------

// What all grids of one tree need to know.
struct Tree {
  int2 *points, *scratch;
  Node* nodes;
  int* node_count;
  int min_points, max_levels;
};

// Block b of the grid splits node `first + b`, if that must be split; its children are the next grid's work.
__global__ void build_kernel(Tree tree, int first, int level) {
  Node& node = tree.nodes[first + blockIdx.x];
  if (node.count <= tree.min_points || level == tree.max_levels) return;
  __shared__ int starts[5];
  split_block(tree.points + node.first, tree.scratch + node.first, node.count, node.x, node.y, node.side, starts);
  if (threadIdx.x != 0) return;
  const int child = atomicAdd(tree.node_count, 4), half = node.side / 2;
  for (int q = 0; q < 4; ++q)
    tree.nodes[child + q] = {node.x + q % 2 * half,  node.y + q / 2 * half,     half,
                             node.first + starts[q], starts[q + 1] - starts[q], -1};
  node.child = child;
  for (int q = 0; q < 4; ++q) build_kernel<<<1, kThreads>>>(tree, child + q, level + 1);
}

void build(const int2* points, int count, int min_points, int max_levels, int2* sorted, int2* scratch, Node* nodes,
           int* node_count) {
  const Node root{0, 0, kWorld, 0, count, -1};
  const int one = 1;
  WB_CHECK(cudaMemcpy(nodes, &root, sizeof root, cudaMemcpyHostToDevice));
  WB_CHECK(cudaMemcpy(node_count, &one, sizeof one, cudaMemcpyHostToDevice));
  WB_CHECK(cudaMemcpy(sorted, points, count * sizeof(int2), cudaMemcpyDeviceToDevice));
  build_kernel<<<1, kThreads>>>(Tree{sorted, scratch, nodes, node_count, min_points, max_levels}, 0, 1);
}

// Lab quadtree: a tree of squares over points in the plane, built by a kernel that launches itself.
// This is the only file you edit. What each function must do is in quadtree.h, what to do first in README.md.
#include "common/cuda/check.cuh"
#include "quadtree.h"

constexpr int kThreads = 128;  // Threads in a block of every kernel here.

// ---- Questions ------------------------------------------------------------------------------------------------------

int predict_levels(int side, int min_points) {
  // BEGIN SOLUTION
  // TODO(student): return the number of levels; see quadtree.h. Delete the next line. (4 lines)
  // SKELETON: warpbook::not_started();
  int levels = 1;
  for (int count = side * side; count > min_points; count /= 4) ++levels;
  return levels;
  // END SOLUTION
}

int predict_launches(int side, int min_points) {
  // BEGIN SOLUTION
  // TODO(student): return the number of launches that kernels make. Delete the next line. (5 lines)
  // SKELETON: warpbook::not_started();
  int launches = 0, nodes = 1;  // Nodes of a level; all of a level are split, or none.
  for (int count = side * side; count > min_points; count /= 4, nodes *= 4) launches += nodes;
  return launches;
  // END SOLUTION
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
  // BEGIN SOLUTION
  // TODO(student): the threads share the points. Count those of each quadrant with atomicAdd(). (2 lines)
  for (int i = threadIdx.x; i < count; i += kThreads) atomicAdd(&next[quadrant_of(points[i], x, y, side)], 1);
  __syncthreads();
  // TODO(student): when all are counted, thread 0 writes the five starts, and where the first point of each quadrant
  // goes, into next[]. (6 lines)
  if (threadIdx.x == 0) {
    starts[0] = 0;
    for (int q = 0; q < 4; ++q) {
      starts[q + 1] = starts[q] + next[q];
      next[q] = starts[q];
    }
  }
  __syncthreads();
  // TODO(student): then each point goes to the next place of its quadrant in scratch[]; atomicAdd() returns
  // it. When all are there, copy them back. Where are barriers needed? (5 lines)
  for (int i = threadIdx.x; i < count; i += kThreads)
    scratch[atomicAdd(&next[quadrant_of(points[i], x, y, side)], 1)] = points[i];
  __syncthreads();
  for (int i = threadIdx.x; i < count; i += kThreads) points[i] = scratch[i];
  __syncthreads();
  // END SOLUTION
}

__global__ void split_kernel(int2* points, int2* scratch, int count, int x, int y, int side, int* result) {
  __shared__ int starts[5];
  split_block(points, scratch, count, x, y, side, starts);
  if (threadIdx.x < 5) result[threadIdx.x] = starts[threadIdx.x];
}

void split(int2* points, int2* scratch, int count, int x, int y, int side, int* starts) {
  // BEGIN SOLUTION
  // TODO(student): delete the next line when split_block() is written. The launch below is as it should be.
  // SKELETON: warpbook::not_started();
  // END SOLUTION
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
  // BEGIN SOLUTION
  // TODO(student): is this block's node a leaf? Then there is nothing to do. If not, let the block split its points,
  // tree.points[node.first] and following. (4 lines)
  Node& node = tree.nodes[first + blockIdx.x];
  if (node.count <= tree.min_points || level == tree.max_levels) return;
  __shared__ int starts[5];
  split_block(tree.points + node.first, tree.scratch + node.first, node.count, node.x, node.y, node.side, starts);
  // TODO(student): one thread reserves four nodes with atomicAdd() on *tree.node_count, fills them (child is -1),
  // writes their index into its node, and launches this kernel for them: one grid with a block for each, for the next
  // level, in the stream cudaStreamFireAndForget. (9 lines)
  if (threadIdx.x != 0) return;
  const int child = atomicAdd(tree.node_count, 4), half = node.side / 2;
  for (int q = 0; q < 4; ++q)
    tree.nodes[child + q] = {node.x + q % 2 * half,  node.y + q / 2 * half,     half,
                             node.first + starts[q], starts[q + 1] - starts[q], -1};
  node.child = child;
  build_kernel<<<4, kThreads, 0, cudaStreamFireAndForget>>>(tree, child, level + 1);
  // END SOLUTION
}

void build(const int2* points, int count, int min_points, int max_levels, int2* sorted, int2* scratch, Node* nodes,
           int* node_count) {
  // BEGIN SOLUTION
  // TODO(student): delete the next line when build_kernel() is written. The rest is as it should be.
  // SKELETON: warpbook::not_started();
  // END SOLUTION
  const Node root{0, 0, kWorld, 0, count, -1};
  const int one = 1;
  WB_CHECK(cudaMemcpy(nodes, &root, sizeof root, cudaMemcpyHostToDevice));
  WB_CHECK(cudaMemcpy(node_count, &one, sizeof one, cudaMemcpyHostToDevice));
  WB_CHECK(cudaMemcpy(sorted, points, count * sizeof(int2), cudaMemcpyDeviceToDevice));
  build_kernel<<<1, kThreads>>>(Tree{sorted, scratch, nodes, node_count, min_points, max_levels}, 0, 1);
}

// Lab quadtree: a tree of squares over points in the plane, built by a kernel that launches itself.
// This is the only file you edit. What each function must do is in quadtree.h, what to do first in README.md.
#include "common/cuda/check.cuh"
#include "quadtree.h"

constexpr int kThreads = 128;  // Threads in a block of every kernel here.

// ---- Questions ------------------------------------------------------------------------------------------------------

int predict_levels(int side, int min_points) {
  // TODO(student): return the number of levels; see quadtree.h. Delete the next line. (4 lines)
  warpbook::not_started();
}

int predict_launches(int side, int min_points) {
  // TODO(student): return the number of launches that kernels make. Delete the next line. (5 lines)
  warpbook::not_started();
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
  // TODO(student): the threads share the points. Count those of each quadrant with atomicAdd(). (2 lines)
  // TODO(student): when all are counted, thread 0 writes the five starts, and where the first point of each quadrant
  // goes, into next[]. (6 lines)
  // TODO(student): then each point goes to the next place of its quadrant in scratch[]; atomicAdd() returns
  // it. When all are there, copy them back. Where are barriers needed? (5 lines)
}

__global__ void split_kernel(int2* points, int2* scratch, int count, int x, int y, int side, int* result) {
  __shared__ int starts[5];
  split_block(points, scratch, count, x, y, side, starts);
  if (threadIdx.x < 5) result[threadIdx.x] = starts[threadIdx.x];
}

void split(int2* points, int2* scratch, int count, int x, int y, int side, int* starts) {
  // TODO(student): delete the next line when split_block() is written. The launch below is as it should be.
  warpbook::not_started();
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
  // TODO(student): is this block's node a leaf? Then there is nothing to do. If not, let the block split its points,
  // tree.points[node.first] and following. (4 lines)
  // TODO(student): one thread reserves four nodes with atomicAdd() on *tree.node_count, fills them (child is -1),
  // writes their index into its node, and launches this kernel for them: one grid with a block for each, for the next
  // level, in the stream cudaStreamFireAndForget. (9 lines)
}

void build(const int2* points, int count, int min_points, int max_levels, int2* sorted, int2* scratch, Node* nodes,
           int* node_count) {
  // TODO(student): delete the next line when build_kernel() is written. The rest is as it should be.
  warpbook::not_started();
  const Node root{0, 0, kWorld, 0, count, -1};
  const int one = 1;
  WB_CHECK(cudaMemcpy(nodes, &root, sizeof root, cudaMemcpyHostToDevice));
  WB_CHECK(cudaMemcpy(node_count, &one, sizeof one, cudaMemcpyHostToDevice));
  WB_CHECK(cudaMemcpy(sorted, points, count * sizeof(int2), cudaMemcpyDeviceToDevice));
  build_kernel<<<1, kThreads>>>(Tree{sorted, scratch, nodes, node_count, min_points, max_levels}, 0, 1);
}

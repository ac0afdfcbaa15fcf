// What is given in lab jacobi: what a sweep does to a point; for part 4, how a block gets its points; for part 5, the
// largest change of all points, and how launches become a graph.
#pragma once

#include "common/cuda/check.cuh"

// Points of the edge keep their values: the first and the last row, the first and the last column.
__device__ inline bool is_edge(int row, int column, int rows, int columns) {
  return row == 0 || row == rows - 1 || column == 0 || column == columns - 1;
}

// What becomes of any other point: five operations, in this order. The multiplication comes last, so that the compiler
// cannot make a fused multiply-add of it: a CPU gets the same bits.
__device__ inline float relaxed(float up, float down, float left, float right, float source) {
  return ((up + down) + (left + right) + source) * 0.25f;
}

// Part 4: the points of a block, rows from `top` on, into both arrays in shared memory, as edges are never relaxed and
// have to be in both from the beginning; the sources of the thread's points into registers. Thread (x, y) has the
// points [y + p * blockDim.y][x] for each p, which are in column `column`. Points beyond the plate become 0.
template <int kHigh, int kWide, int kPoints>
__device__ void bring(const float* from, const float* source, int rows, int columns, int top, int column,
                      float (&tile)[2][kHigh][kWide], float (&sources)[kPoints]) {
#pragma unroll
  for (int p = 0; p < kPoints; ++p) {
    const int y = threadIdx.y + p * (kHigh / kPoints), row = top + y;
    const bool on_plate = row >= 0 && row < rows && column >= 0 && column < columns;
    tile[0][y][threadIdx.x] = tile[1][y][threadIdx.x] = on_plate ? from[row * columns + column] : 0;
    sources[p] = on_plate ? source[row * columns + column] : 0;
  }
}

// Part 5: `change` becomes the largest of what it holds and the changes of all threads of all blocks, which all call
// it. Numbers that are not negative are in the order of their bits.
__device__ inline void tell_largest(float thread_change, float* change) {
  __shared__ unsigned block_change;
  if (threadIdx.x == 0 && threadIdx.y == 0) block_change = 0;
  __syncthreads();
  const unsigned warp_change = __reduce_max_sync(0xffffffff, __float_as_uint(thread_change));
  if (threadIdx.x % 32 == 0) atomicMax(&block_change, warp_change);
  __syncthreads();
  if (threadIdx.x == 0 && threadIdx.y == 0) atomicMax(reinterpret_cast<unsigned*>(change), block_change);
}

// Part 5: launches into the stream are captured, not executed, until end_capture() makes a graph of them.
inline cudaStream_t begin_capture() {
  cudaStream_t stream = nullptr;
  WB_CHECK(cudaStreamCreate(&stream));
  WB_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  return stream;
}

inline cudaGraphExec_t end_capture(cudaStream_t stream) {
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t ready = nullptr;
  WB_CHECK(cudaStreamEndCapture(stream, &graph));
  WB_CHECK(cudaGraphInstantiate(&ready, graph, 0));
  WB_CHECK(cudaGraphDestroy(graph));
  WB_CHECK(cudaStreamDestroy(stream));
  return ready;
}

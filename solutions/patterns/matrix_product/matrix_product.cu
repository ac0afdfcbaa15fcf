// Lab matrix_product: tiles in shared memory, then in registers, brought by copies that nobody waits for too early.
// This is the only file you edit. What each function must do is in matrix_product.h, what to do first in README.md.
#include <cuda_pipeline.h>

#include "matrix_product.h"

constexpr int kTile = 32;      // Part 2: side of a tile, and of the block of threads.
constexpr int kThreads = 256;  // Part 3: threads in a block; 16 x 16 of them share a square of C.
constexpr int kSide = 64;      // Part 3: side of that square. Each thread computes 4 x 4 elements.
constexpr int kDepth = 16;     // Part 3: how far the tiles of A and B reach along k.

// ---- Part 1: predictions --------------------------------------------------------------------------------------------

long long predict_loads(int n, int tile) {
  // BEGIN SOLUTION
  // TODO(student): blocks, times floats that a block brings. An int holds no more than 2^31 - 1. (1 line)
  // SKELETON: warpbook::not_started();
  return 2LL * n * n * n / tile;
  // END SOLUTION
}

double multiply_adds_per_load(int rows, int columns) {
  // BEGIN SOLUTION
  // TODO(student): each of the rows numbers meets each of the columns numbers. (1 line)
  // SKELETON: warpbook::not_started();
  return static_cast<double>(rows) * columns / (rows + columns);
  // END SOLUTION
}

double least_time_us(int rows, int inner, int columns, double tflops) {
  // BEGIN SOLUTION
  // TODO(student): operations, divided by operations in a microsecond. (1 line)
  // SKELETON: warpbook::not_started();
  return 2.0 * rows * inner * columns / (tflops * 1e6);
  // END SOLUTION
}

// ---- Part 2: tiles in shared memory ---------------------------------------------------------------------------------

__global__ void product_tiled_kernel(const float* a, const float* b, float* c, int rows, int inner, int columns) {
  // BEGIN SOLUTION
  // TODO(student): the block computes a square of kTile x kTile elements of C, each thread one of them. In each step,
  // the block brings a tile of A and the tile of B that it meets, with 0 for what lies outside, and each thread adds
  // kTile products. Two barriers: nobody reads a tile before it is there, or replaces it while others read. (14 lines)
  __shared__ __align__(16) float a_tile[kTile][kTile], b_tile[kTile][kTile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * kTile + y, column = blockIdx.x * kTile + x;
  float sum = 0;
  for (int first = 0; first < inner; first += kTile) {
    a_tile[y][x] = row < rows && first + x < inner ? a[row * inner + first + x] : 0;
    b_tile[y][x] = first + y < inner && column < columns ? b[(first + y) * columns + column] : 0;
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += a_tile[y][k] * b_tile[k][x];
    __syncthreads();  // The next step writes what this one reads.
  }
  if (row < rows && column < columns) c[row * columns + column] = sum;
  // END SOLUTION
}

void product_tiled(const float* a, const float* b, float* c, int rows, int inner, int columns) {
  // BEGIN SOLUTION
  // TODO(student): delete the next line when your kernel is written. The launch below is as it should be.
  // SKELETON: warpbook::not_started();
  // END SOLUTION
  const dim3 grid((columns + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  if (grid.x * grid.y > 0) product_tiled_kernel<<<grid, dim3(kTile, kTile)>>>(a, b, c, rows, inner, columns);
}

// ---- Part 3: tiles in registers -------------------------------------------------------------------------------------

struct Matrix {
  const float* data;
  int rows, columns;
};

// Given: starts the copy of the elements (row, column) to (row, column + 3) to shared memory, with 0 for what lies
// outside. Nobody waits: __pipeline_commit() and __pipeline_wait_prior(0) see to that. `column` is a multiple of 4.
__device__ void fetch_quad(float* to, Matrix from, int row, int column) {
  const int floats = from.columns % 4 == 0 ? 4 : 1;  // Only then does each row begin at a multiple of 16 bytes.
  for (int i = 0; i < 4; i += floats) {
    const bool inside = row < from.rows && column + i < from.columns;
    const float* place = inside ? from.data + row * from.columns + column + i : from.data;
    if (floats == 4) __pipeline_memcpy_async(to, place, 16, inside ? 0 : 16);  // The last number: bytes of zeros.
    if (floats == 1) __pipeline_memcpy_async(to + i, place, 4, inside ? 0 : 4);
  }
}

// What is stored at `old`, an element of C.
__device__ float blended(float sum, const float* old, float alpha, float beta) {
  // BEGIN SOLUTION
  // TODO(student): alpha * sum + beta * *old, but *old must not be read if beta is 0. Replace the next line. (1 line)
  // SKELETON: return 0;
  return beta == 0 ? alpha * sum : alpha * sum + beta * *old;
  // END SOLUTION
}

// Given: stores the elements (row, column) to (row, column + 3) of C, as far as they exist.
__device__ void store_quad(float* c, int rows, int columns, int row, int column, const float (&sums)[4], float alpha,
                           float beta) {
  if (row >= rows) return;
  float* to = c + row * columns + column;
  float values[4];
  for (int j = 0; j < 4; ++j) values[j] = column + j < columns ? blended(sums[j], to + j, alpha, beta) : 0;
  for (int j = 0; j < 4; ++j)
    if (columns % 4 != 0 && column + j < columns) to[j] = values[j];
  if (columns % 4 == 0 && column < columns)
    *reinterpret_cast<float4*>(to) = make_float4(values[0], values[1], values[2], values[3]);
}

// Adds the products of two tiles to the 4 x 4 sums of thread (x, y): rows y, y + 16, y + 32, y + 48 of the square, and
// columns 4 * x to 4 * x + 3.
__device__ void add_products(float (&sums)[4][4], const float (&a_tile)[kSide][kDepth],
                             const float (&b_tile)[kDepth][kSide], int x, int y) {
  // BEGIN SOLUTION
  // TODO(student): for four steps in k at a time, load four numbers of each of the four rows (a float4 each). Then, for
  // each of the four steps, load four numbers of b_tile (a float4) and add sixteen products. (9 lines)
#pragma unroll
  for (int k = 0; k < kDepth; k += 4) {
    float of_a[4][4], of_b[4];
    for (int i = 0; i < 4; ++i)
      *reinterpret_cast<float4*>(of_a[i]) = *reinterpret_cast<const float4*>(&a_tile[y + 16 * i][k]);
    for (int step = 0; step < 4; ++step) {
      *reinterpret_cast<float4*>(of_b) = *reinterpret_cast<const float4*>(&b_tile[k + step][4 * x]);
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) sums[i][j] += of_a[i][step] * of_b[j];
    }
  }
  // END SOLUTION
}

__global__ void __launch_bounds__(kThreads) product_kernel(Matrix a, Matrix b, float* c, float alpha, float beta) {
  __shared__ __align__(16) float a_tile[2][kSide][kDepth], b_tile[2][kDepth][kSide];
  const int t = threadIdx.x, x = t % 16, y = t / 16;
  const int first_row = blockIdx.y * kSide, first_column = blockIdx.x * kSide;
  // Starts the copies of the tiles of a step: each thread fetches four numbers of A's tile and four of B's.
  [[maybe_unused]] const auto fetch = [&](int step) {
    fetch_quad(&a_tile[step % 2][t / 4][4 * (t % 4)], a, first_row + t / 4, step * kDepth + 4 * (t % 4));
    fetch_quad(&b_tile[step % 2][y][4 * x], b, step * kDepth + y, first_column + 4 * x);
    __pipeline_commit();
  };
  float sums[4][4] = {};
  [[maybe_unused]] const int steps = (a.columns + kDepth - 1) / kDepth;
  // BEGIN SOLUTION
  // TODO(student): get it right with one pair of tiles first: fetch, wait, barrier, add, barrier. Then let the copies
  // of the next step run while the products of this one are added: there are two pairs of tiles. (7 lines)
  fetch(0);
  for (int step = 0; step < steps; ++step) {
    __pipeline_wait_prior(0);  // For the thread's own copies;
    __syncthreads();           // for those of others, and for the end of the step before, whose tiles are filled now.
    if (step + 1 < steps) fetch(step + 1);
    add_products(sums, a_tile[step % 2], b_tile[step % 2], x, y);
  }
  // END SOLUTION
  for (int i = 0; i < 4; ++i)
    store_quad(c, a.rows, b.columns, first_row + y + 16 * i, first_column + 4 * x, sums[i], alpha, beta);
}

void product(const float* a, const float* b, float* c, int rows, int inner, int columns, float alpha, float beta) {
  // BEGIN SOLUTION
  // TODO(student): delete the next line when your kernel is written. The launch below is as it should be.
  // SKELETON: warpbook::not_started();
  // END SOLUTION
  const dim3 grid((columns + kSide - 1) / kSide, (rows + kSide - 1) / kSide);
  if (grid.x * grid.y == 0) return;
  product_kernel<<<grid, kThreads>>>({a, rows, inner}, {b, inner, columns}, c, alpha, beta);
}

// Lab jacobi: sweeps over a plate until nothing changes.
// This is the only file you edit. What each function must do is in jacobi.h, what to do first in README.md.
#include <algorithm>
#include <cmath>
#include <utility>

#include "common/cuda/check.cuh"
#include "jacobi.h"
#include "point.cuh"  // is_edge(), relaxed(), and what is given for parts 4 and 5.

inline int ceil_div(int a, int b) { return (a + b - 1) / b; }

// ---- Part 1: predictions --------------------------------------------------------------------------------------------

double predict_intensity(int bytes, int sweeps) {
  // BEGIN SOLUTION
  // TODO(student): which numbers move, and how often? (1 line) Delete the next line.
  // SKELETON: warpbook::not_started();
  return 5.0 * sweeps / (3.0 * bytes);
  // END SOLUTION
}

double predict_brought(int rows, int columns, int halo) {
  // BEGIN SOLUTION
  // TODO(student): points with the halo, by those without. (1 line) Delete the next line.
  // SKELETON: warpbook::not_started();
  return (rows + 2.0 * halo) * (columns + 2.0 * halo) / (1.0 * rows * columns);
  // END SOLUTION
}

double predict_sweeps(int rows, int columns, double factor) {
  // BEGIN SOLUTION
  // TODO(student): how often must the error be multiplied? std::log() and pi, std::acos(-1.0), help. (2 lines) Delete:
  // SKELETON: warpbook::not_started();
  const double pi = std::acos(-1.0);
  return std::log(factor) / std::log((std::cos(pi / (rows - 1)) + std::cos(pi / (columns - 1))) / 2);
  // END SOLUTION
}

// ---- Part 2: a launch for each sweep --------------------------------------------------------------------------------

constexpr int kTile = 32;       // Threads of a block from left to right. In part 3, also rows and columns of a tile.
constexpr int kThreadRows = 8;  // Threads of a block from top to bottom.

__global__ void sweep_kernel(const float* from, float* to, const float* source, int rows, int columns) {
  // BEGIN SOLUTION
  // TODO(student): a thread, a point of `to`, and neighbouring threads along a row. Points of the edge, too. (6 lines)
  const int row = blockIdx.y * kThreadRows + threadIdx.y, column = blockIdx.x * kTile + threadIdx.x;
  if (row >= rows || column >= columns) return;
  const int i = row * columns + column;
  to[i] = is_edge(row, column, rows, columns)
              ? from[i]
              : relaxed(from[i - columns], from[i + columns], from[i - 1], from[i + 1], source[i]);
  // END SOLUTION
}

int relax(float* a, float* b, const float* source, int rows, int columns, int sweeps) {
  // BEGIN SOLUTION
  // TODO(student): a launch for each sweep; then exchange the pointers, copy nothing. (5 to 8 lines) Delete the next
  // line.
  // SKELETON: warpbook::not_started();
  const dim3 blocks(ceil_div(columns, kTile), ceil_div(rows, kThreadRows)), threads(kTile, kThreadRows);
  for (int s = 0; s < sweeps; ++s) {
    sweep_kernel<<<blocks, threads>>>(a, b, source, rows, columns);
    std::swap(a, b);
  }
  WB_CHECK(cudaGetLastError());
  return sweeps % 2;
  // END SOLUTION
}

// ---- Part 3: tiles with a halo of one -------------------------------------------------------------------------------

__global__ void tiled_kernel(const float* from, float* to, const float* source, int rows, int columns) {
  // Given: all threads bring the points of the tile and one more on each side, as far as the plate goes.
  [[maybe_unused]] __shared__ float tile[kTile + 2][kTile + 2];
  const int top = blockIdx.y * kTile - 1, left = blockIdx.x * kTile - 1;
  for (int y = threadIdx.y; y < kTile + 2; y += kThreadRows)
    for (int x = threadIdx.x; x < kTile + 2; x += kTile) {
      const int row = top + y, column = left + x;
      if (row >= 0 && row < rows && column >= 0 && column < columns) tile[y][x] = from[row * columns + column];
    }
  // BEGIN SOLUTION
  // TODO(student): each thread relaxes kTile / kThreadRows points of the tile; those of the edge keep their values.
  // Who must have brought what before? (9 lines)
  __syncthreads();
  const int x = threadIdx.x + 1, column = left + x;
  for (int y = threadIdx.y + 1; y <= kTile; y += kThreadRows) {
    const int row = top + y, i = row * columns + column;
    if (row >= rows || column >= columns) continue;
    to[i] = is_edge(row, column, rows, columns)
                ? tile[y][x]
                : relaxed(tile[y - 1][x], tile[y + 1][x], tile[y][x - 1], tile[y][x + 1], source[i]);
  }
  // END SOLUTION
}

int relax_tiled(float* a, float* b, const float* source, int rows, int columns, int sweeps) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): delete this line when your kernel is written.
  // END SOLUTION
  const dim3 blocks(ceil_div(columns, kTile), ceil_div(rows, kTile)), threads(kTile, kThreadRows);
  for (int s = 0; s < sweeps; ++s) {
    tiled_kernel<<<blocks, threads>>>(a, b, source, rows, columns);
    std::swap(a, b);
  }
  WB_CHECK(cudaGetLastError());
  return sweeps % 2;
}

// ---- Part 4: several sweeps a launch --------------------------------------------------------------------------------

constexpr int kWide = 64, kHigh = 40;                                            // Points that a block brings,
constexpr int kKeptWide = kWide - 2 * kSweeps, kKeptHigh = kHigh - 2 * kSweeps;  // and those that it keeps.
constexpr int kPoints = kHigh / kThreadRows;                                     // Points of a thread, in one column.

// `sweeps` is 1 to kSweeps. Where `change` is not nullptr, it becomes the largest change of the last sweep, if that is
// more than what it holds (part 5).
__global__ void blocked_kernel(const float* from, float* to, const float* source, int rows, int columns, int sweeps,
                               float* change) {
  __shared__ float tile[2][kHigh][kWide];
  const int x = threadIdx.x, column = blockIdx.x * kKeptWide + x - kSweeps;
  const int top = blockIdx.y * kKeptHigh - kSweeps;
  float sources[kPoints];
  bring(from, source, rows, columns, top, column, tile, sources);  // Given.
  // BEGIN SOLUTION
  // TODO(student): sweep from one array to the other and back, `sweeps` times: thread (x, y) has the points
  // [threadIdx.y + p * kThreadRows][x]. Which have four neighbours, and who waits for whom? (10 lines)
  for (int s = 0; s < sweeps; ++s) {
    __syncthreads();
    const auto& old = tile[s % 2];
    auto& next = tile[(s + 1) % 2];
#pragma unroll
    for (int p = 0; p < kPoints; ++p) {
      const int y = threadIdx.y + p * kThreadRows, row = top + y;
      if (y == 0 || y == kHigh - 1 || x == 0 || x == kWide - 1 || is_edge(row, column, rows, columns)) continue;
      next[y][x] = relaxed(old[y - 1][x], old[y + 1][x], old[y][x - 1], old[y][x + 1], sources[p]);
    }
  }
  // END SOLUTION
  float largest = 0;
  // BEGIN SOLUTION
  // TODO(student): store the points that are right after kSweeps sweeps, if they lie on the plate. For part 5:
  // `largest` is the largest change of those in the last sweep. (6 lines, 1 line)
#pragma unroll
  for (int p = 0; p < kPoints; ++p) {
    const int y = threadIdx.y + p * kThreadRows, row = top + y;
    if (y < kSweeps || y >= kHigh - kSweeps || x < kSweeps || x >= kWide - kSweeps) continue;
    if (row >= rows || column >= columns) continue;
    to[row * columns + column] = tile[sweeps % 2][y][x];
    largest = fmaxf(largest, fabsf(tile[0][y][x] - tile[1][y][x]));
  }
  // END SOLUTION
  if (change != nullptr) tell_largest(largest, change);  // Given: all threads call it, also those that keep no point.
}

// One launch of the kernel.
void launch_blocked(const float* from, float* to, const float* source, int rows, int columns, int sweeps, float* change,
                    cudaStream_t stream) {
  const dim3 blocks(ceil_div(columns, kKeptWide), ceil_div(rows, kKeptHigh)), threads(kWide, kThreadRows);
  blocked_kernel<<<blocks, threads, 0, stream>>>(from, to, source, rows, columns, sweeps, change);
}

int relax_blocked(float* a, float* b, const float* source, int rows, int columns, int sweeps) {
  // BEGIN SOLUTION
  // TODO(student): kSweeps of them at a time by launch_blocked(); at the end perhaps fewer. Where is the result?
  // (5 to 8 lines) Delete the next line.
  // SKELETON: warpbook::not_started();
  int launches = 0;
  for (int done = 0; done < sweeps; done += kSweeps) {
    launch_blocked(a, b, source, rows, columns, std::min(kSweeps, sweeps - done), nullptr, nullptr);
    std::swap(a, b);
    ++launches;
  }
  WB_CHECK(cudaGetLastError());
  return launches % 2;
  // END SOLUTION
}

// ---- Part 5: until nothing changes ----------------------------------------------------------------------------------

int solve(float* a, float* b, const float* source, int rows, int columns, float tolerance, int most, float* change) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): delete this line when what is missing below is written.
  // END SOLUTION
  const cudaStream_t stream = begin_capture();  // Given: what is launched into it makes a graph.
  // BEGIN SOLUTION
  // TODO(student): set `change` to 0; then launch_blocked() into `stream` until kBatch sweeps are done. Only the last
  // launch looks for the change. (5 lines)
  WB_CHECK(cudaMemsetAsync(change, 0, sizeof(float), stream));
  for (int done = 0; done < kBatch; done += kSweeps) {
    launch_blocked(a, b, source, rows, columns, kSweeps, done + kSweeps == kBatch ? change : nullptr, stream);
    std::swap(a, b);
  }
  // END SOLUTION
  const cudaGraphExec_t batch = end_capture(stream);
  int batches = 0;
  // BEGIN SOLUTION
  // TODO(student): launch the graph and read `change`, until that is no more than `tolerance`, or `most` batches are
  // done. (6 lines)
  float largest = 0;
  do {
    WB_CHECK(cudaGraphLaunch(batch, nullptr));
    WB_CHECK(cudaMemcpy(&largest, change, sizeof largest, cudaMemcpyDeviceToHost));
    ++batches;
  } while (largest > tolerance && batches < most);
  // END SOLUTION
  WB_CHECK(cudaGraphExecDestroy(batch));
  return batches;
}

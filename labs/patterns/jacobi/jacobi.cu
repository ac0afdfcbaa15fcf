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
  // TODO(student): which numbers move, and how often? (1 line) Delete the next line.
  warpbook::not_started();
}

double predict_brought(int rows, int columns, int halo) {
  // TODO(student): points with the halo, by those without. (1 line) Delete the next line.
  warpbook::not_started();
}

double predict_sweeps(int rows, int columns, double factor) {
  // TODO(student): how often must the error be multiplied? std::log() and pi, std::acos(-1.0), help. (2 lines) Delete:
  warpbook::not_started();
}

// ---- Part 2: a launch for each sweep --------------------------------------------------------------------------------

constexpr int kTile = 32;       // Threads of a block from left to right. In part 3, also rows and columns of a tile.
constexpr int kThreadRows = 8;  // Threads of a block from top to bottom.

__global__ void sweep_kernel(const float* from, float* to, const float* source, int rows, int columns) {
  // TODO(student): a thread, a point of `to`, and neighbouring threads along a row. Points of the edge, too. (6 lines)
}

int relax(float* a, float* b, const float* source, int rows, int columns, int sweeps) {
  // TODO(student): a launch for each sweep; then exchange the pointers, copy nothing. (5 to 8 lines) Delete the next
  // line.
  warpbook::not_started();
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
  // TODO(student): each thread relaxes kTile / kThreadRows points of the tile; those of the edge keep their values.
  // Who must have brought what before? (9 lines)
}

int relax_tiled(float* a, float* b, const float* source, int rows, int columns, int sweeps) {
  warpbook::not_started();  // TODO(student): delete this line when your kernel is written.
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
  // TODO(student): sweep from one array to the other and back, `sweeps` times: thread (x, y) has the points
  // [threadIdx.y + p * kThreadRows][x]. Which have four neighbours, and who waits for whom? (10 lines)
  float largest = 0;
  // TODO(student): store the points that are right after kSweeps sweeps, if they lie on the plate. For part 5:
  // `largest` is the largest change of those in the last sweep. (6 lines, 1 line)
  if (change != nullptr) tell_largest(largest, change);  // Given: all threads call it, also those that keep no point.
}

// One launch of the kernel.
void launch_blocked(const float* from, float* to, const float* source, int rows, int columns, int sweeps, float* change,
                    cudaStream_t stream) {
  const dim3 blocks(ceil_div(columns, kKeptWide), ceil_div(rows, kKeptHigh)), threads(kWide, kThreadRows);
  blocked_kernel<<<blocks, threads, 0, stream>>>(from, to, source, rows, columns, sweeps, change);
}

int relax_blocked(float* a, float* b, const float* source, int rows, int columns, int sweeps) {
  // TODO(student): kSweeps of them at a time by launch_blocked(); at the end perhaps fewer. Where is the result?
  // (5 to 8 lines) Delete the next line.
  warpbook::not_started();
}

// ---- Part 5: until nothing changes ----------------------------------------------------------------------------------

int solve(float* a, float* b, const float* source, int rows, int columns, float tolerance, int most, float* change) {
  warpbook::not_started();  // TODO(student): delete this line when what is missing below is written.
  const cudaStream_t stream = begin_capture();  // Given: what is launched into it makes a graph.
  // TODO(student): set `change` to 0; then launch_blocked() into `stream` until kBatch sweeps are done. Only the last
  // launch looks for the change. (5 lines)
  const cudaGraphExec_t batch = end_capture(stream);
  int batches = 0;
  // TODO(student): launch the graph and read `change`, until that is no more than `tolerance`, or `most` batches are
  // done. (6 lines)
  WB_CHECK(cudaGraphExecDestroy(batch));
  return batches;
}

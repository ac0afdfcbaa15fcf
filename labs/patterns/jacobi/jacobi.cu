// Lab jacobi: sweeps over a plate until nothing changes.
// This is the only file you edit. What each function must do is in jacobi.h, what to do first in README.md.
#include <algorithm>
#include <cmath>
#include <utility>

#include "common/cuda/check.cuh"
#include "jacobi.h"
#include "point.cuh"  // is_edge() and relaxed().

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
  // TODO(student): how often must the error be multiplied? std::log() and std::acos(-1.0), which is pi, help. (2 lines)
  // Delete the next line.
  warpbook::not_started();
}

// ---- Part 2: a launch for each sweep --------------------------------------------------------------------------------

constexpr int kTile = 32;       // Threads of a block from left to right. In part 3, also rows and columns of a tile.
constexpr int kThreadRows = 8;  // Threads of a block from top to bottom.

__global__ void sweep_kernel(const float* from, float* to, const float* source, int rows, int columns) {
  // TODO(student): a thread, a point of `to`, and neighbouring threads along a row. Points of the edge, too. (6 lines)
}

int relax(float* a, float* b, const float* source, int rows, int columns, int sweeps) {
  // TODO(student): a launch for each sweep; then exchange the two pointers, and copy nothing. (5 to 8 lines)
  // Delete the next line.
  warpbook::not_started();
}

// ---- Part 3: tiles with a halo of one -------------------------------------------------------------------------------

__global__ void tiled_kernel(const float* from, float* to, const float* source, int rows, int columns) {
  // TODO(student): all threads bring the points of the tile and one more on each side, as far as the plate goes.
  // Then each relaxes kTile / kThreadRows points of the tile. (12 to 18 lines)
}

int relax_tiled(float* a, float* b, const float* source, int rows, int columns, int sweeps) {
  // TODO(student): as in part 2, with blocks of kTile x kThreadRows threads for kTile x kTile points.
  // Delete the next line.
  warpbook::not_started();
}

// ---- Part 4: several sweeps a launch --------------------------------------------------------------------------------

constexpr int kWide = 64, kHigh = 40;                                            // Points that a block brings,
constexpr int kKeptWide = kWide - 2 * kSweeps, kKeptHigh = kHigh - 2 * kSweeps;  // and those that it keeps.
constexpr int kPoints = kHigh / kThreadRows;                                     // Points of a thread, in one column.

// `sweeps` is 1 to kSweeps. Where `change` is not nullptr, it becomes the largest change of the last sweep, if that is
// more than what it holds (part 5).
__global__ void blocked_kernel(const float* from, float* to, const float* source, int rows, int columns, int sweeps,
                               float* change) {
  // TODO(student): blocks have kWide x kThreadRows threads. Bring kHigh x kWide points into shared memory, and their
  // sources into registers. Sweep from one array in shared memory to another, and store the points that are right
  // after kSweeps sweeps. (18 to 25 lines)
  // TODO(student): part 5: the largest change of the points that are kept: of a warp by __reduce_max_sync(), then by
  // atomicMax(). (6 to 10 lines)
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
  // TODO(student): capture a batch: set `change` to 0, then launch until kBatch sweeps are done; only the last launch
  // looks for the change. Instantiate the graph; launch it and read `change` until it is small. (20 lines)
  // Delete the next line.
  warpbook::not_started();
}

// Lab nbody: gravity between all pairs of bodies, from tiles in shared memory to several bodies a thread, and time
// steps. This is the only file you edit. What each function must do is in nbody.h, what to do first in README.md.
#include "common/cuda/check.cuh"
#include "nbody.h"

constexpr int kTile = 128;                    // Part 2: threads of a block, bodies of a tile.
constexpr int kThreads = 512;                 // Part 3: threads of a block, bodies of a tile.
constexpr int kWarps = kThreads / 32;         // Part 3: warps of a block.
constexpr int kGroup = 32;                    // Part 3: bodies that a block computes.
constexpr int kBodies = 4;                    // Part 3: bodies that a thread computes, kColumns apart.
constexpr int kColumns = kGroup / kBodies;    // Part 3: neighbouring threads that have all bodies of the group.
constexpr int kSlices = kThreads / kColumns;  // Part 3: slices of a tile; kColumns threads take the same one.
static_assert(kWarps * 32 == kThreads && kSlices * kColumns == kThreads && 32 % kColumns == 0);

// ---- Part 1: predictions --------------------------------------------------------------------------------------------

double predict_gflops(int bodies, double microseconds) {
  // TODO(student): operations for all pairs, divided by the time in seconds, divided by 10^9. (1 line)
  warpbook::not_started();
}

long long predict_bytes(int n, int block) {
  // TODO(student): each block brings n bodies of 16 bytes; an int cannot hold 2^44. (1 line)
  warpbook::not_started();
}

double predict_instructions(int bodies) {
  // TODO(student): one load serves all bodies of the thread. (1 line)
  warpbook::not_started();
}

// ---- Part 2: tiles --------------------------------------------------------------------------------------------------

// Adds the pull of `other` on a body that is at `at`.
__device__ void pull(float3& sum, float4 at, float4 other) {
  // TODO(student): the difference of the positions; 1 / distance, by rsqrtf() of its square with kSoftening; the third
  // power of that, times the mass; add this times the difference. (6 lines)
}

// Given: body j, or one without mass where there is none. It pulls nobody.
__device__ float4 body_at(const float4* bodies, int j, int n) { return j < n ? bodies[j] : float4{}; }

__global__ void tiled_kernel(const float4* bodies, float4* accelerations, int n) {
  // TODO(student): one thread has one body. Tile by tile, each thread brings one body (body_at), barrier, adds the pull
  // of all kTile bodies, barrier. Threads without a body of their own take part and store nothing. (12 lines)
}

void accelerate_tiled(const float* bodies, float* accelerations, int n) {
  if (n == 0) return;
  // TODO(student): delete the next line when your kernel is written. The launch below is as it should be.
  warpbook::not_started();
  tiled_kernel<<<(n + kTile - 1) / kTile, kTile>>>(reinterpret_cast<const float4*>(bodies),
                                                   reinterpret_cast<float4*>(accelerations), n);
  WB_CHECK(cudaGetLastError());
}

// ---- Part 3: several bodies a thread, several threads a body --------------------------------------------------------

// Given: adds what lanes have that are kColumns, 2 kColumns, ... apart; each of them gets the sum.
__device__ float add_lanes(float value) {
  for (int apart = kColumns; apart < 32; apart *= 2) value += __shfl_xor_sync(0xffffffffu, value, apart);
  return value;
}

__global__ void accelerate_kernel(const float4* bodies, float4* accelerations, int n) {
  // TODO(student): a thread has bodies column, column + kColumns, ... of the block's group (kBodies in registers), and
  // slice `threadIdx.x / kColumns` of each tile: bodies slice, slice + kSlices, ... of kThreads. Then add_lanes() over
  // the sums; the first kColumns lanes of each warp store theirs in shared memory; barrier; kGroup threads add up what
  // the warps stored, and store the accelerations. (31 lines)
}

void accelerate(const float* bodies, float* accelerations, int n) {
  if (n == 0) return;
  // TODO(student): delete the next line when your kernel is written. The launch below is as it should be.
  warpbook::not_started();
  accelerate_kernel<<<(n + kGroup - 1) / kGroup, kThreads>>>(reinterpret_cast<const float4*>(bodies),
                                                             reinterpret_cast<float4*>(accelerations), n);
  WB_CHECK(cudaGetLastError());
}

// ---- Part 4: time steps ---------------------------------------------------------------------------------------------

// Velocities change by `kick` of the accelerations, then positions by `drift` of the new velocities.
__global__ void move_kernel(float4* bodies, float4* velocities, const float4* accelerations, int n, float kick,
                            float drift) {
  // TODO(student): one thread moves one body; the fourth number of both arrays stays as it is. (12 lines)
}

// Given: starts move_kernel with a thread for each body.
inline void move(float* bodies, float* velocities, const float* accelerations, int n, float kick, float drift) {
  move_kernel<<<(n + kTile - 1) / kTile, kTile>>>(reinterpret_cast<float4*>(bodies),
                                                  reinterpret_cast<float4*>(velocities),
                                                  reinterpret_cast<const float4*>(accelerations), n, kick, drift);
  WB_CHECK(cudaGetLastError());
}

void simulate(float* bodies, float* velocities, float* accelerations, int n, int steps, float dt) {
  if (n == 0 || steps == 0) return;
  // TODO(student): accelerations of the start; then for each step half a kick and a whole drift, new accelerations, and
  // half a kick without a drift. (6 lines)
  warpbook::not_started();
}

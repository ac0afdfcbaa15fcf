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
  // BEGIN SOLUTION
  // TODO(student): operations for all pairs, divided by the time in seconds, divided by 10^9. (1 line)
  // SKELETON: warpbook::not_started();
  return 1.0 * kOperations * bodies * bodies / microseconds / 1e3;
  // END SOLUTION
}

long long predict_bytes(int n, int block) {
  // BEGIN SOLUTION
  // TODO(student): each block brings n bodies of 16 bytes; an int cannot hold 2^44. (1 line)
  // SKELETON: warpbook::not_started();
  return 16LL * n * (n / block);
  // END SOLUTION
}

double predict_instructions(int bodies) {
  // BEGIN SOLUTION
  // TODO(student): one load serves all bodies of the thread. (1 line)
  // SKELETON: warpbook::not_started();
  return 13 + 1.0 / bodies;
  // END SOLUTION
}

// ---- Part 2: tiles --------------------------------------------------------------------------------------------------

// Adds the pull of `other` on a body that is at `at`.
__device__ void pull(float3& sum, float4 at, float4 other) {
  // BEGIN SOLUTION
  // TODO(student): the difference of the positions; 1 / distance, by rsqrtf() of its square with kSoftening; the third
  // power of that, times the mass; add this times the difference. (6 lines)
  const float dx = other.x - at.x, dy = other.y - at.y, dz = other.z - at.z;
  const float inverse = rsqrtf(kSoftening + dx * dx + dy * dy + dz * dz);
  const float strength = other.w * inverse * inverse * inverse;
  sum.x += strength * dx;
  sum.y += strength * dy;
  sum.z += strength * dz;
  // END SOLUTION
}

// Given: body j, or one without mass where there is none. It pulls nobody.
__device__ float4 body_at(const float4* bodies, int j, int n) { return j < n ? bodies[j] : float4{}; }

__global__ void tiled_kernel(const float4* bodies, float4* accelerations, int n) {
  // BEGIN SOLUTION
  // TODO(student): one thread has one body. Tile by tile, each thread brings one body (body_at), barrier, adds the pull
  // of all kTile bodies, barrier. Threads without a body of their own take part and store nothing. (12 lines)
  __shared__ float4 tile[kTile];
  const int i = blockIdx.x * kTile + threadIdx.x;
  const float4 at = body_at(bodies, i, n);
  float3 sum = {};
  for (int first = 0; first < n; first += kTile) {
    tile[threadIdx.x] = body_at(bodies, first + threadIdx.x, n);
    __syncthreads();
    for (int k = 0; k < kTile; ++k) pull(sum, at, tile[k]);
    __syncthreads();
  }
  if (i < n) accelerations[i] = {sum.x, sum.y, sum.z, 0};
  // END SOLUTION
}

void accelerate_tiled(const float* bodies, float* accelerations, int n) {
  if (n == 0) return;
  // BEGIN SOLUTION
  // TODO(student): delete the next line when your kernel is written. The launch below is as it should be.
  // SKELETON: warpbook::not_started();
  // END SOLUTION
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
  // BEGIN SOLUTION
  // TODO(student): a thread has bodies column, column + kColumns, ... of the block's group (kBodies in registers), and
  // slice `threadIdx.x / kColumns` of each tile: bodies slice, slice + kSlices, ... of kThreads. Then add_lanes() over
  // the sums; the first kColumns lanes of each warp store theirs in shared memory; barrier; kGroup threads add up what
  // the warps stored, and store the accelerations. (31 lines)
  __shared__ float4 tile[kThreads];
  __shared__ float3 of_warps[kWarps][kGroup];
  const int column = threadIdx.x % kColumns, slice = threadIdx.x / kColumns, group = blockIdx.x * kGroup;
  float4 at[kBodies];
  float3 sums[kBodies] = {};
  for (int b = 0; b < kBodies; ++b) at[b] = body_at(bodies, group + column + b * kColumns, n);
  for (int first = 0; first < n; first += kThreads) {
    tile[threadIdx.x] = body_at(bodies, first + threadIdx.x, n);
    __syncthreads();
    for (int k = 0; k < kThreads; k += kSlices) {
      const float4 other = tile[k + slice];
      for (int b = 0; b < kBodies; ++b) pull(sums[b], at[b], other);
    }
    __syncthreads();
  }
  for (int b = 0; b < kBodies; ++b) {
    const float3 sum = {add_lanes(sums[b].x), add_lanes(sums[b].y), add_lanes(sums[b].z)};
    if (threadIdx.x % 32 < kColumns) of_warps[threadIdx.x / 32][column + b * kColumns] = sum;
  }
  __syncthreads();
  const int i = group + threadIdx.x;
  if (threadIdx.x >= kGroup || i >= n) return;
  float3 sum = {};
  for (int w = 0; w < kWarps; ++w) {
    sum.x += of_warps[w][threadIdx.x].x;
    sum.y += of_warps[w][threadIdx.x].y;
    sum.z += of_warps[w][threadIdx.x].z;
  }
  accelerations[i] = {sum.x, sum.y, sum.z, 0};
  // END SOLUTION
}

void accelerate(const float* bodies, float* accelerations, int n) {
  if (n == 0) return;
  // BEGIN SOLUTION
  // TODO(student): delete the next line when your kernel is written. The launch below is as it should be.
  // SKELETON: warpbook::not_started();
  // END SOLUTION
  accelerate_kernel<<<(n + kGroup - 1) / kGroup, kThreads>>>(reinterpret_cast<const float4*>(bodies),
                                                             reinterpret_cast<float4*>(accelerations), n);
  WB_CHECK(cudaGetLastError());
}

// ---- Part 4: time steps ---------------------------------------------------------------------------------------------

// Velocities change by `kick` of the accelerations, then positions by `drift` of the new velocities.
__global__ void move_kernel(float4* bodies, float4* velocities, const float4* accelerations, int n, float kick,
                            float drift) {
  // BEGIN SOLUTION
  // TODO(student): one thread moves one body; the fourth number of both arrays stays as it is. (12 lines)
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4 body = bodies[i], velocity = velocities[i];
  const float4 acceleration = accelerations[i];
  velocity.x += kick * acceleration.x;
  velocity.y += kick * acceleration.y;
  velocity.z += kick * acceleration.z;
  body.x += drift * velocity.x;
  body.y += drift * velocity.y;
  body.z += drift * velocity.z;
  bodies[i] = body;
  velocities[i] = velocity;
  // END SOLUTION
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
  // BEGIN SOLUTION
  // TODO(student): accelerations of the start; then for each step half a kick and a whole drift, new accelerations, and
  // half a kick without a drift. (6 lines)
  // SKELETON: warpbook::not_started();
  accelerate(bodies, accelerations, n);
  for (int step = 0; step < steps; ++step) {
    move(bodies, velocities, accelerations, n, dt / 2, dt);
    accelerate(bodies, accelerations, n);
    move(bodies, velocities, accelerations, n, dt / 2, 0);
  }
  // END SOLUTION
}

// Lab warp_primitives: sums, scans, compaction, counting and a transpose within a warp, without shared memory.
// This is the only file you edit. What each function must do is in warp_primitives.h, what to do first in README.md.
#include "warp_primitives.h"

constexpr unsigned kAll = 0xffffffff;  // All 32 lanes.
constexpr int kThreads = 256;          // Threads in a block, in all parts.
constexpr int kWarps = kThreads / 32;  // Warps in a block.
constexpr int kColumns = 128;          // Elements in a row of normalise.

// Given: this thread's place in its warp, and the warp's in the grid.
__device__ int lane() { return threadIdx.x % 32; }
__device__ int warp() { return blockIdx.x * kWarps + threadIdx.x / 32; }

// ---- Part 1: predictions --------------------------------------------------------------------------------------------

int predict_down(int lane) {
  // BEGIN SOLUTION
  // TODO(student): a lane without a lane that far up gets its own value back. A loop over all lanes will do. (5 lines)
  // SKELETON: warpbook::not_started();
  int values[32];
  for (int i = 0; i < 32; ++i) values[i] = i;
  for (int d = 16; d > 0; d /= 2)
    for (int i = 0; i < 32; ++i) values[i] += i + d < 32 ? values[i + d] : values[i];
  return values[lane];
  // END SOLUTION
}

int predict_adds(Adds adds, int n, int bins) {
  // BEGIN SOLUTION
  // TODO(student): how many different keys has a whole warp, and how many has the last one? (3 lines)
  // SKELETON: warpbook::not_started();
  if (adds == Adds::each_lane) return n;
  const int rest = n % 32;
  return n / 32 * (bins < 32 ? bins : 32) + (bins < rest ? bins : rest);
  // END SOLUTION
}

int predict_element(int lane, int i, int exchanges) {
  // BEGIN SOLUTION
  // TODO(student): an exchange at distance d swaps the bit of d in a register's number with that in a lane's. (3 lines)
  // SKELETON: warpbook::not_started();
  const int swapped = 32 - (32 >> exchanges);  // The bits of the distances that were.
  const int row = (i & ~swapped) | (lane & swapped), column = (lane & ~swapped) | (i & swapped);
  return 32 * row + column;
  // END SOLUTION
}

// ---- Part 2: shuffles -----------------------------------------------------------------------------------------------

__global__ void sum_rows_kernel(const int* in, int* sums, int rows, int columns) {
  const int row = warp();
  if (row >= rows) return;  // The whole warp leaves: the row is the same in all its lanes.
  // BEGIN SOLUTION
  // TODO(student): each lane sums every 32nd element, then __shfl_down_sync sums the lanes. Which stores? (4 lines)
  int sum = 0;
  for (int c = lane(); c < columns; c += 32) sum += in[row * columns + c];
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(kAll, sum, distance);
  if (lane() == 0) sums[row] = sum;
  // END SOLUTION
}

void sum_rows(const int* in, int* sums, int rows, int columns) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): delete this line when your kernel is written.
  // END SOLUTION
  if (rows > 0) sum_rows_kernel<<<(rows + kWarps - 1) / kWarps, kThreads>>>(in, sums, rows, columns);
}

// The sum of the values of all 32 lanes, in every lane.
__device__ float sum_in_all_lanes(float value) {
  // BEGIN SOLUTION
  // TODO(student): the butterfly: __shfl_xor_sync. (1 to 2 lines)
  for (int distance = 16; distance > 0; distance /= 2) value += __shfl_xor_sync(kAll, value, distance);
  // END SOLUTION
  return value;
}

__global__ void normalise_kernel(const float4* in, float4* out, int rows) {
  const int row = warp();
  if (row >= rows) return;
  // BEGIN SOLUTION
  // TODO(student): load four elements at once; all lanes get the sum of squares; rsqrtf(x) is 1 / sqrt(x). (4 lines)
  const float4 own = in[row * (kColumns / 4) + lane()];
  const float squares = sum_in_all_lanes(own.x * own.x + own.y * own.y + own.z * own.z + own.w * own.w);
  const float scale = rsqrtf(squares / kColumns + 1e-6f);
  out[row * (kColumns / 4) + lane()] = {own.x * scale, own.y * scale, own.z * scale, own.w * scale};
  // END SOLUTION
}

void normalise(const float* in, float* out, int rows) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): delete this line when your kernel is written.
  // END SOLUTION
  if (rows > 0)
    normalise_kernel<<<(rows + kWarps - 1) / kWarps, kThreads>>>(reinterpret_cast<const float4*>(in),
                                                                 reinterpret_cast<float4*>(out), rows);
}

__global__ void scan_rows_kernel(const int* in, int* out, int rows, int columns) {
  const int row = warp();
  if (row >= rows) return;
  // BEGIN SOLUTION
  // TODO(student): go through the row 32 elements at a time. All lanes do all steps of the scan (__shfl_up_sync), also
  // those without an element. What do the next 32 need from these? (10 lines)
  int before = 0;  // The sum of the elements before these 32.
  for (int first = 0; first < columns; first += 32) {
    const int c = first + lane();
    int sum = c < columns ? in[row * columns + c] : 0;
    for (int distance = 1; distance < 32; distance *= 2) {
      const int below = __shfl_up_sync(kAll, sum, distance);
      if (lane() >= distance) sum += below;
    }
    sum += before;
    if (c < columns) out[row * columns + c] = sum;
    before = __shfl_sync(kAll, sum, 31);
  }
  // END SOLUTION
}

void scan_rows(const int* in, int* out, int rows, int columns) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): delete this line when your kernel is written.
  // END SOLUTION
  if (rows > 0) scan_rows_kernel<<<(rows + kWarps - 1) / kWarps, kThreads>>>(in, out, rows, columns);
}

// ---- Part 3: ballots and matches ------------------------------------------------------------------------------------

__global__ void compact_kernel(const int* in, int* out, int* count, int n) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  // BEGIN SOLUTION
  // TODO(student): a ballot says who keeps an element. Lane 0 reserves places for all of them by one atomicAdd and
  // tells the others where they begin. Each counts the keepers in the lanes below its own: __popc. (7 lines)
  const int own = i < n ? in[i] : 0;
  const unsigned kept = __ballot_sync(kAll, own > 0);
  int place = 0;
  if (lane() == 0 && kept != 0) place = atomicAdd(count, __popc(kept));
  place = __shfl_sync(kAll, place, 0) + __popc(kept & ((1u << lane()) - 1));
  if (own > 0) out[place] = own;
  // END SOLUTION
}

void compact(const int* in, int* out, int* count, int n) {
  // BEGIN SOLUTION
  // TODO(student): count holds anything. Set it to 0: cudaMemsetAsync(address, 0, bytes). Delete the next line. (1
  // line)
  // SKELETON: warpbook::not_started();
  cudaMemsetAsync(count, 0, sizeof(int));
  // END SOLUTION
  if (n > 0) compact_kernel<<<(n + kThreads - 1) / kThreads, kThreads>>>(in, out, count, n);
}

__global__ void histogram_kernel(const int* keys, int* counts, int n) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  // BEGIN SOLUTION
  // TODO(student): which lanes have a key at all? They, and nobody else, call __match_any_sync. The lowest of those
  // with the same key (__ffs) adds for all of them. (5 lines)
  const unsigned members = __ballot_sync(kAll, i < n);
  if (i >= n) return;
  const int key = keys[i];
  const unsigned equal = __match_any_sync(members, key);
  if (lane() == __ffs(equal) - 1) atomicAdd(&counts[key], __popc(equal));
  // END SOLUTION
}

void histogram(const int* keys, int* counts, int n, int bins) {
  // BEGIN SOLUTION
  // TODO(student): set all counts to 0, and delete the next line. (1 line)
  // SKELETON: warpbook::not_started();
  cudaMemsetAsync(counts, 0, bins * sizeof(int));
  // END SOLUTION
  if (n > 0) histogram_kernel<<<(n + kThreads - 1) / kThreads, kThreads>>>(keys, counts, n);
}

// ---- Part 4: a transpose in registers -------------------------------------------------------------------------------

__global__ void transpose_tiles_kernel(const int* in, int* out, int tiles) {
  const int tile = warp();
  if (tile >= tiles) return;
  int own[32];  // Of column lane() at first, of row lane() at last. In registers: loops must be unrolled.
#pragma unroll
  for (int i = 0; i < 32; ++i) own[i] = in[1024 * tile + 32 * i + lane()];
    // BEGIN SOLUTION
    // TODO(student): for distances 16, 8, 4, 2, 1, and each i without that bit: lanes with the bit send register i, the
    // others register i + distance, and what comes takes the place of what was sent. #pragma unroll both loops. (10
    // lines)
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2) {
    const bool upper = (lane() & distance) != 0;
#pragma unroll
    for (int i = 0; i < 32; ++i) {
      if ((i & distance) != 0) continue;
      const int got = __shfl_xor_sync(kAll, upper ? own[i] : own[i + distance], distance);
      own[i] = upper ? got : own[i];
      own[i + distance] = upper ? own[i + distance] : got;
    }
  }
  // END SOLUTION
#pragma unroll
  for (int i = 0; i < 32; ++i) out[1024 * tile + 32 * i + lane()] = own[i];
}

void transpose_tiles(const int* in, int* out, int tiles) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): delete this line when your kernel is written.
  // END SOLUTION
  if (tiles > 0) transpose_tiles_kernel<<<(tiles + kWarps - 1) / kWarps, kThreads>>>(in, out, tiles);
}

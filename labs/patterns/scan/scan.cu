// Lab scan: prefix sums, from a warp's shuffles to a single pass, in rounds of tiles that are copied ahead.
// This is the only file you edit. What each function must do is in scan.h, what to do first in README.md.
// Cooperative groups come from common/cuda: without libcu++ nvcc takes half the time.
#include <algorithm>

#include "common/cuda/check.cuh"
#include "common/cuda/cooperative_groups.cuh"
#include "scan.h"
#include "tiles.cuh"

constexpr int kThreads = 256;                       // Threads in a block, in all parts.
constexpr int kWarps = kThreads / 32;               // Warps in a block.
constexpr int kGroup = 4 * kThreads;                // Part 2: elements of a group; each thread has four.
constexpr int kQuads = 8, kTile = kQuads * kGroup;  // Part 3: quads of a thread, and elements of a block, in a round.
constexpr int kStages = 7;                          // Part 3: tiles that a block has in shared memory.
constexpr int kAhead = 3;                           // Part 3: rounds from telling the sum of a tile to scanning it.

// ---- Part 1: predictions --------------------------------------------------------------------------------------------

int predict_additions(Method method, int n) {
  // TODO(student): add up the additions of all steps; a loop over s will do. (5 lines)
  warpbook::not_started();
}

int predict_wavefronts(int distance) {
  // TODO(student): how many lanes have something to do, and how many words of one bank do they want? (2 lines)
  warpbook::not_started();
}

long long predict_bytes(Plan plan, int n) {
  // TODO(student): count how often each plan reads and writes an element. (1 to 4 lines)
  warpbook::not_started();
}

// ---- Part 2: in a block ---------------------------------------------------------------------------------------------

// The sum of the values of lanes 0 to this one. All lanes of the warp must call it.
__device__ int scan_of_warp(int value) {
  // TODO(student): for distances 1, 2, 4, 8, 16, get the value of the lane that far down (__shfl_up_sync: all lanes
  // call it) and add it, in lanes that have such a lane. (4 lines)
  return value;
}

// The sum of the values of threads 0 to this one. All threads of the block must call it.
__device__ int scan_of_block(int value, int (&of_warps)[kWarps]) {
  // TODO(student): scan the warp; its last lane puts the sum into of_warps; barrier; the first warp scans of_warps, in
  // its first kWarps lanes; barrier; add what the warps before this one have. (8 lines)
  return value;
}

__device__ int4 scan_of_quad(int4 quad) {
  // TODO(student): the sums of the first, the first two, three, and all four, in place of the next line. (4 lines)
  return quad;
}

__global__ void scan_groups_kernel(const int* in, int* out, int* sums, int n) {
  // TODO(student): each thread scans its quad (quad_at(), plus() and store_quad() are given), then the block scans the
  // sums of the quads. What does a quad need in addition? The last thread stores the sum of the group. (6 lines)
}

void scan_groups(const int* in, int* out, int* sums, int n) {
  warpbook::not_started();  // TODO(student): delete this line when your kernel is written.
  const int groups = (n + kGroup - 1) / kGroup;
  if (groups > 0) scan_groups_kernel<<<groups, kThreads>>>(in, out, sums, n);
}

// ---- Part 3: any length ---------------------------------------------------------------------------------------------

// The grid's blocks all run at a time; there are at most kThreads. In each round a block scans one tile: what Tiles has
// is in tiles.cuh. places[t] is for the sum of tile t; it may hold anything at the start.
__global__ void __launch_bounds__(kThreads) scan_kernel(const int* in, int* out, unsigned long long* places, int n) {
  [[maybe_unused]] __shared__ int of_warps[kStages][kWarps], before_of_warps[2][kWarps];
  [[maybe_unused]] const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const Tiles<kThreads, kQuads, kStages> tiles(in, n);
  // Given: the first copies start, the block's places become 0, and when all blocks have done that, it begins.
  for (int round = 0; round < kStages - 1 - kAhead; ++round) tiles.copy(round);
  for (int round = threadIdx.x; tiles.exists(round); round += kThreads) places[tiles.tile(round)] = 0;
  cooperative_groups::this_grid().sync();
  unsigned long long word = 0;
  int told = 0;  // By block threadIdx.x in all rounds so far.
  for (int round = -kAhead; tiles.exists(round); ++round) {
    tiles.copy(round + kStages - 1);
    __pipeline_wait_prior(kStages - 1 - kAhead);
    [[maybe_unused]] const int ahead = round + kAhead;
    int sum = 0;
    // TODO(student): the tile of round `ahead` has arrived. If it exists, add up the thread's quads of it, and then the
    // warp: lane 0 puts that into of_warps[ahead % kStages][warp]. (4 lines)

    // Given: thread b waits until block b has told what the round needs (forever, if it never does), and adds it up in
    // `told`. The sum over all threads is what comes before the tile: the warps' parts of it go to before_of_warps.
    while (tiles.before(round) >= 0 && word == 0) {
      __nanosleep(50);
      word = look(&places[tiles.before(round)]);
    }
    told += static_cast<int>(word);
    sum = __reduce_add_sync(0xffffffff, told);
    if (lane == 0) before_of_warps[round & 1][warp] = sum;
    __syncthreads();
    // TODO(student): thread 0 tells the sum of the tile of round `ahead`, if it exists. (2 lines)

    // Given: all look for the next round already. In rounds before 0 there is nothing to scan.
    const bool goes_on = tiles.exists(round + 1) && tiles.before(round + 1) >= 0;
    word = goes_on ? look(&places[tiles.before(round + 1)]) : 0;
    if (round < 0) continue;
    // TODO(student): take the warp's rows of the tile out of shared memory, then scan row by row. The first begins with
    // what is before the tile and in the warps before this one. (8 lines)
  }
}

void scan(const int* in, int* out, unsigned long long* scratch, int n) {
  warpbook::not_started();  // TODO(student): delete this line when your kernel is written.
  const int tiles = (n + kTile - 1) / kTile, bytes = kStages * kTile * sizeof(int);
  if (tiles == 0) return;
  int multiprocessors = 0;
  WB_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  WB_CHECK(cudaFuncSetAttribute(scan_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  const int blocks = std::min({tiles, multiprocessors, kThreads});
  void* arguments[] = {&in, &out, &scratch, &n};
  WB_CHECK(cudaLaunchCooperativeKernel(scan_kernel, blocks, kThreads, arguments, bytes, nullptr));
}

// Lab scan: prefix sums, from a warp's shuffles to a single pass in which blocks look back at those before them.
// This is the only file you edit. What each function must do is in scan.h, what to do first in README.md.
#include "scan.h"

constexpr int kThreads = 256;                       // Threads in a block, in all parts.
constexpr int kWarps = kThreads / 32;               // Warps in a block.
constexpr int kGroup = 4 * kThreads;                // Part 2: elements of a group; each thread has four.
constexpr int kQuads = 8, kPart = kQuads * kGroup;  // Part 3: quads of a thread; elements that one block scans.
constexpr int kBlocks = 4;                          // Part 3: blocks that run on a multiprocessor at a time.

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

// Given: the four elements from `first` on, with 0 for those that do not exist. `first` is a multiple of 4.
__device__ int4 quad_at(const int* in, int first, int n) {
  if (first + 3 < n) return *reinterpret_cast<const int4*>(in + first);
  return {first < n ? in[first] : 0, first + 1 < n ? in[first + 1] : 0, first + 2 < n ? in[first + 2] : 0, 0};
}

// Given: stores four elements from `first` on, as far as they exist.
__device__ void store_quad(int* out, int first, int n, int4 quad) {
  const int each[3] = {quad.x, quad.y, quad.z};
  if (first + 3 < n) *reinterpret_cast<int4*>(out + first) = quad;
  for (int k = 0; k < 3; ++k)
    if (first + 3 >= n && first + k < n) out[first + k] = each[k];
}

__device__ int4 scan_of_quad(int4 quad) {
  // TODO(student): the sums of the first, the first two, three, and all four, in place of the next line. (4 lines)
  return quad;
}

__device__ int4 plus(int4 quad, int number) {
  return {quad.x + number, quad.y + number, quad.z + number, quad.w + number};
}

__global__ void scan_groups_kernel(const int* in, int* out, int* sums, int n) {
  // TODO(student): each thread scans its quad, then the block scans the sums of the quads. What does a quad need in
  // addition? The last thread stores the sum of the group. (6 lines)
}

void scan_groups(const int* in, int* out, int* sums, int n) {
  // TODO(student): delete the next line when your kernel is written. The launch below is as it should be.
  warpbook::not_started();
  const int groups = (n + kGroup - 1) / kGroup;
  if (groups > 0) scan_groups_kernel<<<groups, kThreads>>>(in, out, sums, n);
}

// ---- Part 3: any length ---------------------------------------------------------------------------------------------

enum Told : unsigned { kNothing, kOwnSum, kSumSoFar };  // Nothing yet, the own part's sum, that of all up to its end.

// Given: stores what is told and the sum as one word, so that nobody sees the one without the other.
__device__ void tell(unsigned long long* place, Told told, int sum) {
  const unsigned long long both = 1ULL * told << 32 | static_cast<unsigned>(sum);
  asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(place), "l"(both) : "memory");
}

// Given: waits until the block of this place has told something; says what, and which sum.
__device__ Told look(const unsigned long long* place, int& sum) {
  unsigned long long both = 0;
  while (both >> 32 == kNothing)
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(both) : "l"(place) : "memory");
  sum = static_cast<int>(both);
  return static_cast<Told>(both >> 32);
}

// The sum of all parts before `part`, in all lanes. The first warp calls it, once the block knows its own sum.
__device__ int sum_before(unsigned long long* places, int part, int own_sum) {
  int before = 0;
  // TODO(student): lane 0 tells the own sum; in part 0 it is the sum so far, and all is done. Else each lane looks at
  // one of the nearest 32 parts; add up to the nearest sum so far; go on if there is none. Lane 0 tells it. (11 lines)
  return before;
}

// scratch[0] counts the parts that were taken; scratch[1 + p] is the place of part p. All are 0 at the start.
__global__ void __launch_bounds__(kThreads, kBlocks)
    scan_kernel(const int* in, int* out, unsigned long long* scratch, int n) {
  // TODO(student): thread 0 takes the next part by atomicAdd, and tells the others. Each warp has kQuads rows of 32
  // quads: load all, then scan row by row. The block scans the sums of the warps; warp 0 gets the sum before the part,
  // thread 0 tells the others, and all store. Think of each barrier. (23 lines)
}

void scan(const int* in, int* out, unsigned long long* scratch, int n) {
  const int parts = (n + kPart - 1) / kPart;
  if (parts == 0) return;
  // TODO(student): scratch holds anything: set what the kernel uses to 0 (cudaMemsetAsync) in place of this. (1 line)
  warpbook::not_started();
  scan_kernel<<<parts, kThreads>>>(in, out, scratch, n);
}

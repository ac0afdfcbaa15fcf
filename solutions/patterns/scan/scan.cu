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
  // BEGIN SOLUTION
  // TODO(student): add up the additions of all steps; a loop over s will do. (5 lines)
  // SKELETON: warpbook::not_started();
  int additions = 0;
  for (int s = 1; s < n; s *= 2) {
    if (method == Method::doubling) additions += n - s;
    if (method == Method::two_trees) additions += n / (2 * s) + n / (2 * s) - 1;
  }
  return additions;
  // END SOLUTION
}

int predict_wavefronts(int distance) {
  // BEGIN SOLUTION
  // TODO(student): how many lanes have something to do, and how many words of one bank do they want? (2 lines)
  // SKELETON: warpbook::not_started();
  const int lanes = 512 / distance < 32 ? 512 / distance : 32;
  return lanes < 2 * distance ? lanes : 2 * distance;
  // END SOLUTION
}

long long predict_bytes(Plan plan, int n) {
  // BEGIN SOLUTION
  // TODO(student): count how often each plan reads and writes an element. (1 to 4 lines)
  // SKELETON: warpbook::not_started();
  return (plan == Plan::three_phases ? 16LL : plan == Plan::sums_first ? 12LL : 8LL) * n;
  // END SOLUTION
}

// ---- Part 2: in a block ---------------------------------------------------------------------------------------------

// The sum of the values of lanes 0 to this one. All lanes of the warp must call it.
__device__ int scan_of_warp(int value) {
  // BEGIN SOLUTION
  // TODO(student): for distances 1, 2, 4, 8, 16, get the value of the lane that far down (__shfl_up_sync: all lanes
  // call it) and add it, in lanes that have such a lane. (4 lines)
  for (int distance = 1; distance < 32; distance *= 2) {
    const int below = __shfl_up_sync(0xffffffff, value, distance);
    if (threadIdx.x % 32 >= distance) value += below;
  }
  // END SOLUTION
  return value;
}

// The sum of the values of threads 0 to this one. All threads of the block must call it.
__device__ int scan_of_block(int value, int (&of_warps)[kWarps]) {
  // BEGIN SOLUTION
  // TODO(student): scan the warp; its last lane puts the sum into of_warps; barrier; the first warp scans of_warps, in
  // its first kWarps lanes; barrier; add what the warps before this one have. (8 lines)
  const int warp = threadIdx.x / 32;
  value = scan_of_warp(value);
  if (threadIdx.x % 32 == 31) of_warps[warp] = value;
  __syncthreads();
  if (warp == 0) {
    const int sum = scan_of_warp(threadIdx.x < kWarps ? of_warps[threadIdx.x] : 0);
    if (threadIdx.x < kWarps) of_warps[threadIdx.x] = sum;
  }
  __syncthreads();
  if (warp > 0) value += of_warps[warp - 1];
  // END SOLUTION
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
  // BEGIN SOLUTION
  // TODO(student): the sums of the first, the first two, three, and all four, in place of the next line. (4 lines)
  // SKELETON: return quad;
  quad.y += quad.x;
  quad.z += quad.y;
  quad.w += quad.z;
  return quad;
  // END SOLUTION
}

__device__ int4 plus(int4 quad, int number) {
  return {quad.x + number, quad.y + number, quad.z + number, quad.w + number};
}

__global__ void scan_groups_kernel(const int* in, int* out, int* sums, int n) {
  // BEGIN SOLUTION
  // TODO(student): each thread scans its quad, then the block scans the sums of the quads. What does a quad need in
  // addition? The last thread stores the sum of the group. (6 lines)
  __shared__ int of_warps[kWarps];
  const int first = blockIdx.x * kGroup + 4 * threadIdx.x;
  const int4 quad = scan_of_quad(quad_at(in, first, n));
  const int up_to_here = scan_of_block(quad.w, of_warps);
  store_quad(out, first, n, plus(quad, up_to_here - quad.w));
  if (threadIdx.x == kThreads - 1) sums[blockIdx.x] = up_to_here;
  // END SOLUTION
}

void scan_groups(const int* in, int* out, int* sums, int n) {
  // BEGIN SOLUTION
  // TODO(student): delete the next line when your kernel is written. The launch below is as it should be.
  // SKELETON: warpbook::not_started();
  // END SOLUTION
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
  // BEGIN SOLUTION
  // TODO(student): lane 0 tells the own sum; in part 0 it is the sum so far, and all is done. Else each lane looks at
  // one of the nearest 32 parts; add up to the nearest sum so far; go on if there is none. Lane 0 tells it. (11 lines)
  const int lane = threadIdx.x;
  if (lane == 0) tell(&places[part], part == 0 ? kSumSoFar : kOwnSum, own_sum);
  for (int last = part - 1; last >= 0; last -= 32) {
    int sum = 0;
    const Told told = lane <= last ? look(&places[last - lane], sum) : kNothing;
    const unsigned so_far = __ballot_sync(0xffffffff, told == kSumSoFar);
    const int nearest = so_far == 0 ? 31 : __ffs(so_far) - 1;
    before += __reduce_add_sync(0xffffffff, lane <= nearest ? sum : 0);
    if (so_far != 0) break;
  }
  if (lane == 0 && part > 0) tell(&places[part], kSumSoFar, before + own_sum);
  // END SOLUTION
  return before;
}

// scratch[0] counts the parts that were taken; scratch[1 + p] is the place of part p. All are 0 at the start.
__global__ void __launch_bounds__(kThreads, kBlocks)
    scan_kernel(const int* in, int* out, unsigned long long* scratch, int n) {
  // BEGIN SOLUTION
  // TODO(student): thread 0 takes the next part by atomicAdd, and tells the others. Each warp has kQuads rows of 32
  // quads: load all, then scan row by row. The block scans the sums of the warps; warp 0 gets the sum before the part,
  // thread 0 tells the others, and all store. Think of each barrier. (23 lines)
  __shared__ int of_warps[kWarps], part, before;
  if (threadIdx.x == 0) part = static_cast<int>(atomicAdd(&scratch[0], 1ULL));
  __syncthreads();
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, first = part * kPart + warp * kQuads * 128 + 4 * lane;
  int4 quads[kQuads];
  int sum = 0;  // Of the warp's rows so far.
  for (int q = 0; q < kQuads; ++q) quads[q] = quad_at(in, first + q * 128, n);
  for (int q = 0; q < kQuads; ++q) {
    quads[q] = scan_of_quad(quads[q]);
    const int up_to_here = scan_of_warp(quads[q].w);
    quads[q] = plus(quads[q], sum + up_to_here - quads[q].w);
    sum += __shfl_sync(0xffffffff, up_to_here, 31);
  }
  const int up_to_warp = scan_of_block(lane == 0 ? sum : 0, of_warps);
  if (threadIdx.x < 32) {
    const int of_all_before = sum_before(scratch + 1, part, of_warps[kWarps - 1]);
    if (threadIdx.x == 0) before = of_all_before;
  }
  __syncthreads();
  for (int q = 0; q < kQuads; ++q) store_quad(out, first + q * 128, n, plus(quads[q], before + up_to_warp - sum));
  // END SOLUTION
}

void scan(const int* in, int* out, unsigned long long* scratch, int n) {
  const int parts = (n + kPart - 1) / kPart;
  if (parts == 0) return;
  // BEGIN SOLUTION
  // TODO(student): scratch holds anything: set what the kernel uses to 0 (cudaMemsetAsync) in place of this. (1 line)
  // SKELETON: warpbook::not_started();
  cudaMemsetAsync(scratch, 0, (1 + parts) * sizeof(unsigned long long));
  // END SOLUTION
  scan_kernel<<<parts, kThreads>>>(in, out, scratch, n);
}

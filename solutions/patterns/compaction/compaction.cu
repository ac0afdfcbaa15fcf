// Lab compaction: keeping some numbers of many, in their order.
// This is the only file you edit. What each function must do is in compaction.h, what to do first in README.md.
#include "compaction.h"

constexpr int kThreads = 256;            // Threads in a block, in all kernels but one.
constexpr int kEach = 16;                // Parts 3 and 4: numbers that a thread has.
constexpr int kPart = kEach * kThreads;  // Parts 3 and 4: numbers of a part, which one block has.
constexpr int kMostParts = 1024;         // Parts of the longest array: one thread for each scans the counts.

// ---- Part 1: predictions --------------------------------------------------------------------------------------------

long long predict_bytes(Plan plan, int n, int kept) {
  // BEGIN SOLUTION
  // TODO(student): count what each plan reads and writes, once for each number and once for each kept one. (1 to 4
  // lines)
  // SKELETON: warpbook::not_started();
  if (plan == Plan::flags) return 20LL * n + 12LL * kept;
  return (plan == Plan::counts_first ? 8LL : 4LL) * n + 4LL * kept;
  // END SOLUTION
}

int predict_sectors(int first, int kept) {
  // BEGIN SOLUTION
  // TODO(student): where in a sector does the first one lie? (1 or 2 lines)
  // SKELETON: warpbook::not_started();
  return kept == 0 ? 0 : (first % 8 + kept + 7) / 8;
  // END SOLUTION
}

// ---- Part 2: flags, sums, addresses ---------------------------------------------------------------------------------

// Given: as many blocks as have a thread for each of n numbers; at least one, as a grid without blocks is an error.
int blocks_for(int n) { return n == 0 ? 1 : (n + kThreads - 1) / kThreads; }

// BEGIN SOLUTION
// TODO(student): three kernels in which a thread has one number: mark, gather, scatter back. (5 lines each)
__global__ void mark_kernel(const int* in, int limit, int* flags, int n) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i < n) flags[i] = in[i] > limit ? 1 : 0;
}

__global__ void gather_kernel(const int* in, const int* flags, const int* sums, int* out, int n) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i < n && flags[i] == 1) out[sums[i] - 1] = in[i];
}

__global__ void scatter_back_kernel(const int* packed, const int* flags, const int* sums, int* out, int n) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i < n) out[i] = flags[i] == 1 ? packed[sums[i] - 1] : 0;
}
// END SOLUTION

void mark(const int* in, int limit, int* flags, int n) {
  // BEGIN SOLUTION
  // TODO(student): launch your kernel. (1 line)
  // SKELETON: warpbook::not_started();
  mark_kernel<<<blocks_for(n), kThreads>>>(in, limit, flags, n);
  // END SOLUTION
}

void gather(const int* in, const int* flags, const int* sums, int* out, int n) {
  // BEGIN SOLUTION
  // TODO(student): launch your kernel. (1 line)
  // SKELETON: warpbook::not_started();
  gather_kernel<<<blocks_for(n), kThreads>>>(in, flags, sums, out, n);
  // END SOLUTION
}

void scatter_back(const int* packed, const int* flags, const int* sums, int* out, int n) {
  // BEGIN SOLUTION
  // TODO(student): launch your kernel. (1 line)
  // SKELETON: warpbook::not_started();
  scatter_back_kernel<<<blocks_for(n), kThreads>>>(packed, flags, sums, out, n);
  // END SOLUTION
}

// ---- Parts 3 and 4: counts first, then ballots ----------------------------------------------------------------------

// Given, from lab scan: the sum of the values of lanes 0 to this one. All lanes of the warp must call it.
__device__ int scan_of_warp(int value) {
  for (int distance = 1; distance < 32; distance *= 2) {
    const int below = __shfl_up_sync(0xffffffff, value, distance);
    if (threadIdx.x % 32 >= distance) value += below;
  }
  return value;
}

// Given: the sum of the values of threads 0 to this one, in a block of 1024 threads. All of them must call it.
__device__ int scan_of_block(int value, int (&of_warps)[32]) {
  value = scan_of_warp(value);
  if (threadIdx.x % 32 == 31) of_warps[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x < 32) of_warps[threadIdx.x] = scan_of_warp(of_warps[threadIdx.x]);
  __syncthreads();
  return threadIdx.x < 32 ? value : value + of_warps[threadIdx.x / 32 - 1];
}

// Stores in counts[p] how many numbers of part p are kept: numbers kPart * p to kPart * p + kPart - 1, as far as they
// exist. Block p does that.
__global__ void count_kernel(const int* in, int limit, int* counts, int n) {
  // BEGIN SOLUTION
  // TODO(student): each thread counts kEach numbers, kThreads apart; __reduce_add_sync adds the counts of a warp, and
  // one lane of each warp adds that to a count in shared memory. Think of each barrier. (11 lines)
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  int own = 0;
  for (int k = 0; k < kEach; ++k) {
    const int i = blockIdx.x * kPart + k * kThreads + threadIdx.x;
    if (i < n && in[i] > limit) ++own;
  }
  const int of_warp = __reduce_add_sync(0xffffffff, own);
  if (threadIdx.x % 32 == 0) atomicAdd(&count, of_warp);
  __syncthreads();
  if (threadIdx.x == 0) counts[blockIdx.x] = count;
  // END SOLUTION
}

// Changes each of the counts into the sum of those before it, and stores the sum of all. One block of kMostParts
// threads.
__global__ void scan_counts_kernel(int* counts, int parts, int* kept) {
  // BEGIN SOLUTION
  // TODO(student): a thread for each count, and threads without one: scan_of_block. (5 lines)
  __shared__ int of_warps[32];
  const int part = threadIdx.x, count = part < parts ? counts[part] : 0;
  const int up_to_here = scan_of_block(count, of_warps);
  if (part < parts) counts[part] = up_to_here - count;
  if (part == kMostParts - 1) *kept = up_to_here;
  // END SOLUTION
}

// Stores the kept numbers of part blockIdx.x, of which before[blockIdx.x] are kept in the parts before it. With
// kOthers, stores the other numbers, too, after all kept ones.
template <bool kOthers>
__global__ void place_kernel(const int* in, int limit, int* out, const int* before, const int* kept, int n) {
  // BEGIN SOLUTION
  // TODO(student): warp w has the kEach * 32 numbers from kPart * blockIdx.x + kEach * 32 * w on, lane l number l of
  // each 32. Load and ballot all of them; tell the other warps how many of yours are kept; then go through the ballots
  // again and store. How many kept numbers are before number i? So how many others are? (23 lines)
  __shared__ int of_warps[kThreads / 32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int first = blockIdx.x * kPart + warp * kEach * 32 + lane;
  int numbers[kEach], of_warp = 0;
  unsigned ballots[kEach];
  for (int k = 0; k < kEach; ++k) numbers[k] = first + 32 * k < n ? in[first + 32 * k] : limit;
  for (int k = 0; k < kEach; ++k) {
    ballots[k] = __ballot_sync(0xffffffff, numbers[k] > limit);
    of_warp += __popc(ballots[k]);
  }
  if (lane == 0) of_warps[warp] = of_warp;
  __syncthreads();
  const int others = kOthers ? *kept : 0;  // Where they begin.
  int kept_before = before[blockIdx.x];    // The numbers of the ballot.
  for (int w = 0; w < warp; ++w) kept_before += of_warps[w];
  for (int k = 0; k < kEach; ++k) {
    const int i = first + 32 * k, place = kept_before + __popc(ballots[k] & ((1u << lane) - 1));
    if (numbers[k] > limit) out[place] = numbers[k];
    if (kOthers && numbers[k] <= limit && i < n) out[others + i - place] = numbers[k];
    kept_before += __popc(ballots[k]);
  }
  // END SOLUTION
}

// Given: the three launches. The counts are in scratch.
template <bool kOthers>
void place(const int* in, int limit, int* out, int* kept, int* scratch, int n) {
  const int parts = (n + kPart - 1) / kPart;
  if (parts > 0) count_kernel<<<parts, kThreads>>>(in, limit, scratch, n);
  scan_counts_kernel<<<1, kMostParts>>>(scratch, parts, kept);
  if (parts > 0) place_kernel<kOthers><<<parts, kThreads>>>(in, limit, out, scratch, kept, n);
}

void compact(const int* in, int limit, int* out, int* kept, int* scratch, int n) {
  // BEGIN SOLUTION
  // TODO(student): delete the next line when your kernels are written. The next but one is as it should be.
  // SKELETON: warpbook::not_started();
  // END SOLUTION
  place<false>(in, limit, out, kept, scratch, n);
}

void partition(const int* in, int limit, int* out, int* kept, int* scratch, int n) {
  // BEGIN SOLUTION
  // TODO(student): delete the next line when place_kernel stores the others, too.
  // SKELETON: warpbook::not_started();
  // END SOLUTION
  place<true>(in, limit, out, kept, scratch, n);
}

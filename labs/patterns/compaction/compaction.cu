// Lab compaction: keeping some numbers of many, in their order.
// This is the only file you edit. What each function must do is in compaction.h, what to do first in README.md.
#include "compaction.h"

constexpr int kThreads = 256;            // Threads in a block, in all kernels but one.
constexpr int kEach = 16;                // Parts 3 and 4: numbers that a thread has.
constexpr int kPart = kEach * kThreads;  // Parts 3 and 4: numbers of a part, which one block has.
constexpr int kMostParts = 1024;         // Parts of the longest array: one thread for each scans the counts.

// ---- Part 1: predictions --------------------------------------------------------------------------------------------

long long predict_bytes(Plan plan, int n, int kept) {
  // TODO(student): count what each plan reads and writes, once for each number and once for each kept one. (1 to 4
  // lines)
  warpbook::not_started();
}

int predict_sectors(int first, int kept) {
  // TODO(student): where in a sector does the first one lie? (1 or 2 lines)
  warpbook::not_started();
}

// ---- Part 2: flags, sums, addresses ---------------------------------------------------------------------------------

// Given: as many blocks as have a thread for each of n numbers; at least one, as a grid without blocks is an error.
int blocks_for(int n) { return n == 0 ? 1 : (n + kThreads - 1) / kThreads; }

// TODO(student): three kernels in which a thread has one number: mark, gather, scatter back. (5 lines each)

void mark(const int* in, int limit, int* flags, int n) {
  // TODO(student): launch your kernel. (1 line)
  warpbook::not_started();
}

void gather(const int* in, const int* flags, const int* sums, int* out, int n) {
  // TODO(student): launch your kernel. (1 line)
  warpbook::not_started();
}

void scatter_back(const int* packed, const int* flags, const int* sums, int* out, int n) {
  // TODO(student): launch your kernel. (1 line)
  warpbook::not_started();
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
  // TODO(student): each thread counts kEach numbers, kThreads apart; __reduce_add_sync adds the counts of a warp, and
  // one lane of each warp adds that to a count in shared memory. Think of each barrier. (11 lines)
}

// Changes each of the counts into the sum of those before it, and stores the sum of all. One block of kMostParts
// threads.
__global__ void scan_counts_kernel(int* counts, int parts, int* kept) {
  // TODO(student): a thread for each count, and threads without one: scan_of_block. (5 lines)
}

// Stores the kept numbers of part blockIdx.x, of which before[blockIdx.x] are kept in the parts before it. With
// kOthers, stores the other numbers, too, after all kept ones.
template <bool kOthers>
__global__ void place_kernel(const int* in, int limit, int* out, const int* before, const int* kept, int n) {
  // TODO(student): warp w has the kEach * 32 numbers from kPart * blockIdx.x + kEach * 32 * w on, lane l number l of
  // each 32. Load and ballot all of them; tell the other warps how many of yours are kept; then go through the ballots
  // again and store. How many kept numbers are before number i? So how many others are? (23 lines)
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
  // TODO(student): delete the next line when your kernels are written. The next but one is as it should be.
  warpbook::not_started();
  place<false>(in, limit, out, kept, scratch, n);
}

void partition(const int* in, int limit, int* out, int* kept, int* scratch, int n) {
  // TODO(student): delete the next line when place_kernel stores the others, too.
  warpbook::not_started();
  place<true>(in, limit, out, kept, scratch, n);
}

// Counts of blocks of 1024 numbers, one for each thread, scanned by a block that goes over them in several rounds.
#include "grader/labs/patterns/compaction/rungs/solution.cuh"

__global__ void count_one_each(const int* in, int limit, int* counts, int n) {
  const int i = blockIdx.x * 1024 + threadIdx.x;
  const int count = __syncthreads_count(i < n && in[i] > limit ? 1 : 0);
  if (threadIdx.x == 0) counts[blockIdx.x] = count;
}

__global__ void scan_many_counts(int* counts, int blocks, int* kept) {
  __shared__ int of_warps[32];
  int before = 0;
  for (int first = 0; first < blocks; first += 1024) {
    const int i = first + threadIdx.x, count = i < blocks ? counts[i] : 0;
    const int up_to_here = scan_of_block(count, of_warps);
    if (i < blocks) counts[i] = before + up_to_here - count;
    before += of_warps[31];
    __syncthreads();
  }
  if (threadIdx.x == 0) *kept = before;
}

using Place = void (*)(const int* in, int limit, int* out, const int* before, int n);

inline void compact_one_each(Place place_one_each, const int* in, int limit, int* out, int* kept, int* scratch, int n) {
  const int blocks = (n + 1023) / 1024;
  if (blocks > 0) count_one_each<<<blocks, 1024>>>(in, limit, scratch, n);
  scan_many_counts<<<1, 1024>>>(scratch, blocks, kept);
  if (blocks > 0) place_one_each<<<blocks, 1024>>>(in, limit, out, scratch, n);
}

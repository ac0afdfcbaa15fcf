// A count for each block, a scan of the counts; then each block scans its flags, in registers and shared memory.
#include "grader/labs/patterns/compaction/rungs/counts.cuh"

__global__ void place_by_scan(const int* in, int limit, int* out, const int* before, int n) {
  __shared__ int of_warps[32];
  const int i = blockIdx.x * 1024 + threadIdx.x, number = i < n ? in[i] : limit;
  const int up_to_here = scan_of_block(number > limit ? 1 : 0, of_warps);
  if (number > limit) out[before[blockIdx.x] + up_to_here - 1] = number;
}

void compact(const int* in, int limit, int* out, int* kept, int* scratch, int n) {
  compact_one_each(place_by_scan, in, limit, out, kept, scratch, n);
}

// Predicate, scan in three phases, gather: each a launch or several, with all flags and sums in global memory.
#include "grader/labs/patterns/compaction/rungs/solution.cuh"

__global__ void scan_groups_kernel(const int* in, int* out, int* sums, int n) {
  __shared__ int of_warps[32];
  const int i = blockIdx.x * 1024 + threadIdx.x;
  const int up_to_here = scan_of_block(i < n ? in[i] : 0, of_warps);
  if (i < n) out[i] = up_to_here;
  if (threadIdx.x == 1023) sums[blockIdx.x] = up_to_here;
}

__global__ void add_what_came_before(int* out, const int* sums, int n) {
  const int i = (blockIdx.x + 1) * 1024 + threadIdx.x;
  if (i < n) out[i] += sums[blockIdx.x];
}

// `sums` has room for the sums of groups of 1024, and of groups of these.
static void scan_in_phases(const int* in, int* out, int* sums, int n) {
  const int groups = (n + 1023) / 1024;
  scan_groups_kernel<<<groups, 1024>>>(in, out, sums, n);
  if (groups == 1) return;
  scan_in_phases(sums, sums, sums + groups, groups);
  add_what_came_before<<<groups - 1, 1024>>>(out, sums, n);
}

void compact(const int* in, int limit, int* out, int* kept, int* scratch, int n) {
  if (n == 0) {
    WB_CHECK(cudaMemsetAsync(kept, 0, sizeof(int)));
    return;
  }
  int* flags = taken(n);
  int* sums = taken(n);
  mark(in, limit, flags, n);
  scan_in_phases(flags, sums, scratch, n);
  gather(in, flags, sums, out, n);
  WB_CHECK(cudaMemcpyAsync(kept, sums + n - 1, sizeof(int), cudaMemcpyDeviceToDevice));
  WB_CHECK(cudaFreeAsync(flags, nullptr));
  WB_CHECK(cudaFreeAsync(sums, nullptr));
}

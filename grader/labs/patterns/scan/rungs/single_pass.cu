// One pass: a block for each part looks back, part by part, until it meets one that knows the sum of all before.
#include "grader/labs/patterns/scan/rungs/look_back.cuh"

// scratch[0] counts the parts that were taken; scratch[1 + p] is the place of part p. All are 0 at the start.
__global__ void __launch_bounds__(kThreads, kPerProcessor)
    scan_part(const int* in, int* out, unsigned long long* scratch, int n) {
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
}

void scan(const int* in, int* out, unsigned long long* scratch, int n) {
  const int parts = (n + kPart - 1) / kPart;
  if (parts == 0) return;
  cudaMemsetAsync(scratch, 0, (1 + parts) * sizeof(unsigned long long));
  scan_part<<<parts, kThreads>>>(in, out, scratch, n);
}

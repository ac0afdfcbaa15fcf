// One barrier for a scan of a block: each thread adds the sums of the warps before its own itself, eight in two loads.
#define scan_groups solution_scan_groups
#define scan solution_scan
#include "solutions/patterns/scan/scan.cu"
#undef scan_groups
#undef scan

struct Scanned {
  int up_to_here, all;
};

__device__ Scanned scanned(int value, int (&of_warps)[kWarps]) {
  const int warp = threadIdx.x / 32;
  value = scan_of_warp(value);
  if (threadIdx.x % 32 == 31) of_warps[warp] = value;
  __syncthreads();
  int sums[kWarps], all = 0;
  for (int w = 0; w < kWarps; w += 4) *reinterpret_cast<int4*>(sums + w) = *reinterpret_cast<const int4*>(of_warps + w);
  for (int w = 0; w < kWarps; ++w) {
    if (w == warp) value += all;
    all += sums[w];
  }
  return {value, all};
}

__global__ void groups_with_one_barrier(const int* in, int* out, int* sums, int n) {
  __shared__ __align__(16) int of_warps[kWarps];
  const int first = blockIdx.x * kGroup + 4 * threadIdx.x;
  const int4 quad = scan_of_quad(quad_at(in, first, n));
  const Scanned here = scanned(quad.w, of_warps);
  store_quad(out, first, n, plus(quad, here.up_to_here - quad.w));
  if (threadIdx.x == 0) sums[blockIdx.x] = here.all;
}

void scan_groups(const int* in, int* out, int* sums, int n) {
  const int groups = (n + kGroup - 1) / kGroup;
  if (groups > 0) groups_with_one_barrier<<<groups, kThreads>>>(in, out, sums, n);
}

__global__ void scan_with_few_barriers(const int* in, int* out, unsigned long long* scratch, int n) {
  __shared__ __align__(16) int of_warps[kQuads][kWarps];
  __shared__ int part, before;
  if (threadIdx.x == 0) part = static_cast<int>(atomicAdd(&scratch[0], 1ULL));
  __syncthreads();
  int4 quads[kQuads];
  int sum = 0;
  for (int q = 0; q < kQuads; ++q) quads[q] = scan_of_quad(quad_at(in, part * kPart + q * kGroup + 4 * threadIdx.x, n));
  for (int q = 0; q < kQuads; ++q) {
    const Scanned here = scanned(quads[q].w, of_warps[q]);
    quads[q] = plus(quads[q], sum + here.up_to_here - quads[q].w);
    sum += here.all;
  }
  if (threadIdx.x < 32) {
    const int of_all_before = sum_before(scratch + 1, part, sum);
    if (threadIdx.x == 0) before = of_all_before;
  }
  __syncthreads();
  for (int q = 0; q < kQuads; ++q)
    store_quad(out, part * kPart + q * kGroup + 4 * threadIdx.x, n, plus(quads[q], before));
}

void scan(const int* in, int* out, unsigned long long* scratch, int n) {
  const int parts = (n + kPart - 1) / kPart;
  if (parts == 0) return;
  cudaMemsetAsync(scratch, 0, (1 + parts) * sizeof(unsigned long long));
  scan_with_few_barriers<<<parts, kThreads>>>(in, out, scratch, n);
}

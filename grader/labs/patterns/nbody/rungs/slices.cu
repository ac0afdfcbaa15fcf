// One body a thread, eight threads a body: the warps of a block share out each tile.
#define accelerate solution_accelerate
#include "solutions/patterns/nbody/nbody.cu"
#undef accelerate

constexpr int kSliceThreads = 256, kSliceWarps = kSliceThreads / 32;

__global__ void slices_kernel(const float4* bodies, float4* accelerations, int n) {
  __shared__ float4 tile[kSliceThreads];
  __shared__ float3 of_warps[kSliceWarps][32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, own = blockIdx.x * 32 + lane;
  const float4 at = body_at(bodies, own, n);
  float3 sum = {};
  for (int first = 0; first < n; first += kSliceThreads) {
    tile[threadIdx.x] = body_at(bodies, first + threadIdx.x, n);
    __syncthreads();
    for (int k = 0; k < kSliceThreads; k += kSliceWarps) pull(sum, at, tile[k + warp]);
    __syncthreads();
  }
  of_warps[warp][lane] = sum;
  __syncthreads();
  if (warp != 0 || own >= n) return;
  for (int w = 1; w < kSliceWarps; ++w) {
    sum.x += of_warps[w][lane].x;
    sum.y += of_warps[w][lane].y;
    sum.z += of_warps[w][lane].z;
  }
  accelerations[own] = {sum.x, sum.y, sum.z, 0};
}

void accelerate(const float* bodies, float* accelerations, int n) {
  if (n == 0) return;
  slices_kernel<<<(n + 31) / 32, kSliceThreads>>>(reinterpret_cast<const float4*>(bodies),
                                                  reinterpret_cast<float4*>(accelerations), n);
}

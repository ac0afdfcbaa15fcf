// One thread, one body; tiles in shared memory, and a loop that the compiler may not unroll.
#define accelerate solution_accelerate
#include "solutions/patterns/nbody/nbody.cu"
#undef accelerate

__global__ void rolled_kernel(const float4* bodies, float4* accelerations, int n) {
  __shared__ float4 tile[kTile];
  const int i = blockIdx.x * kTile + threadIdx.x;
  const float4 at = body_at(bodies, i, n);
  float3 sum = {};
  for (int first = 0; first < n; first += kTile) {
    tile[threadIdx.x] = body_at(bodies, first + threadIdx.x, n);
    __syncthreads();
#pragma unroll 1
    for (int k = 0; k < kTile; ++k) pull(sum, at, tile[k]);
    __syncthreads();
  }
  if (i < n) accelerations[i] = {sum.x, sum.y, sum.z, 0};
}

void accelerate(const float* bodies, float* accelerations, int n) {
  if (n == 0) return;
  rolled_kernel<<<(n + kTile - 1) / kTile, kTile>>>(reinterpret_cast<const float4*>(bodies),
                                                    reinterpret_cast<float4*>(accelerations), n);
}

// One thread, one body; every thread loads all bodies from global memory.
#define accelerate solution_accelerate
#include "solutions/patterns/nbody/nbody.cu"
#undef accelerate

__global__ void naive_kernel(const float4* bodies, float4* accelerations, int n) {
  const int i = blockIdx.x * kTile + threadIdx.x;
  if (i >= n) return;
  const float4 at = bodies[i];
  float3 sum = {};
#pragma unroll 1
  for (int j = 0; j < n; ++j) pull(sum, at, bodies[j]);
  accelerations[i] = {sum.x, sum.y, sum.z, 0};
}

void accelerate(const float* bodies, float* accelerations, int n) {
  if (n == 0) return;
  naive_kernel<<<(n + kTile - 1) / kTile, kTile>>>(reinterpret_cast<const float4*>(bodies),
                                                   reinterpret_cast<float4*>(accelerations), n);
}

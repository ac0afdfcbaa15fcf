// Part 3 without a tile of the block: each lane has four bodies, and each warp goes through its own share of all
// bodies.
#define accelerate solution_accelerate
#include "solutions/patterns/nbody/nbody.cu"
#undef accelerate

constexpr int kOwn = 4, kLanes = 32 / kOwn, kSixteen = 16;

__global__ void __launch_bounds__(32 * kSixteen) shares_kernel(const float4* bodies, float4* accelerations, int n) {
  __shared__ float4 shares[kSixteen][32];
  __shared__ float3 of_warps[kSixteen][32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, own = blockIdx.x * 32 + lane % kLanes;
  float4 at[kOwn];
  float3 sums[kOwn] = {};
  for (int b = 0; b < kOwn; ++b) at[b] = body_at(bodies, own + kLanes * b, n);
  for (int first = warp * 32; first < n; first += kSixteen * 32) {
    shares[warp][lane] = body_at(bodies, first + lane, n);
    __syncwarp();
    for (int k = 0; k < 32; k += kOwn) {
      const float4 other = shares[warp][k + lane / kLanes];
      for (int b = 0; b < kOwn; ++b) pull(sums[b], at[b], other);
    }
    __syncwarp();
  }
  for (int b = 0; b < kOwn; ++b) {
    const float3 sum = {add_lanes(sums[b].x), add_lanes(sums[b].y), add_lanes(sums[b].z)};
    if (lane < kLanes) of_warps[warp][kLanes * b + lane] = sum;
  }
  __syncthreads();
  const int i = blockIdx.x * 32 + threadIdx.x;
  if (threadIdx.x >= 32 || i >= n) return;
  float3 sum = {};
  for (int w = 0; w < kSixteen; ++w) {
    sum.x += of_warps[w][threadIdx.x].x;
    sum.y += of_warps[w][threadIdx.x].y;
    sum.z += of_warps[w][threadIdx.x].z;
  }
  accelerations[i] = {sum.x, sum.y, sum.z, 0};
}

void accelerate(const float* bodies, float* accelerations, int n) {
  if (n == 0) return;
  shares_kernel<<<(n + 31) / 32, 32 * kSixteen>>>(reinterpret_cast<const float4*>(bodies),
                                                  reinterpret_cast<float4*>(accelerations), n);
  WB_CHECK(cudaGetLastError());
}

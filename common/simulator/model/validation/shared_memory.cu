// Validation cases: bank conflicts, wide shared accesses, barriers and shared atomics.
#include "common/simulator/model/validation/cases.cuh"

namespace {

__global__ void bank_conflicts(float* out, int stride, int steps) {
  __shared__ float data[32 * 33 + 32];
  for (unsigned i = threadIdx.x; i < 32 * 33 + 32; i += blockDim.x) data[i] = static_cast<float>(i);
  __syncthreads();
  const unsigned lane = threadIdx.x % 32;
  volatile float* mine = data + lane * stride;
  float sum = 0;
#pragma unroll 8
  for (int k = 0; k < steps; ++k) sum += mine[k & 7];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

template <typename T>
__global__ void wide_loads(float* out, int steps) {
  __shared__ T data[1024];
  for (unsigned i = threadIdx.x; i < 1024; i += blockDim.x) data[i] = T{};
  __syncthreads();
  float sum = 0;
#pragma unroll 8
  for (int k = 0; k < steps; ++k) sum += reinterpret_cast<const float*>(&data[(threadIdx.x + k * 32) % 1024])[0];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void barriers(float* out, int steps) {
  __shared__ float data[1024];
  data[threadIdx.x] = static_cast<float>(threadIdx.x);
  for (int k = 0; k < steps; ++k) {
    __syncthreads();
    if (threadIdx.x == 0) data[0] += 1.0f;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = data[threadIdx.x];
}

__global__ void shared_chase(int* out, int steps) {
  __shared__ int next[1024];
  for (unsigned i = threadIdx.x; i < 1024; i += blockDim.x) next[i] = static_cast<int>((i * 5 + 1) % 1024);
  __syncthreads();
  int at = static_cast<int>(threadIdx.x);
  for (int k = 0; k < steps; ++k) at = next[at];
  out[blockIdx.x * blockDim.x + threadIdx.x] = at;
}

}  // namespace

void add_shared_memory(Cases& cases) {
  const int blocks = cases.reduced ? 132 : 132 * 8, steps = cases.reduced ? 64 : 512;
  for (int stride : {1, 2, 4, 8, 16, 32, 33})
    cases.add("bank_conflicts", "stride" + std::to_string(stride), stride, bank_conflicts, blocks, 256, 0, cases.b,
              stride, steps);
  cases.add("wide_shared", "float", steps, wide_loads<float>, blocks, 256, 0, cases.b, steps);
  cases.add("wide_shared", "float2", steps, wide_loads<float2>, blocks, 256, 0, cases.b, steps);
  cases.add("wide_shared", "float4", steps, wide_loads<float4>, blocks, 256, 0, cases.b, steps);
  for (int threads : {32, 64, 128, 256, 512, 1024})
    cases.add("barriers", std::to_string(threads), threads, barriers, 132, threads, 0, cases.b, steps);
  cases.add("shared_chase", "one_warp", steps, shared_chase, 132, 32, 0, reinterpret_cast<int*>(cases.b), steps);
  cases.add("shared_chase", "eight_warps", steps, shared_chase, 132, 256, 0, reinterpret_cast<int*>(cases.b), steps);
}

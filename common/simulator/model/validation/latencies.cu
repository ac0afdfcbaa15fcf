// Validation cases: pointer chases, and streaming with few resident warps.
#include "common/simulator/model/validation/cases.cuh"

namespace {

/// Each lane follows its own chain through `count` entries; one dependent load at a time.
__global__ void chase(const int* next, int* out, int steps, unsigned mask) {
  unsigned at = (blockIdx.x * blockDim.x + threadIdx.x) * 97;
  for (int k = 0; k < steps; ++k) at = static_cast<unsigned>(next[at & mask]);
  out[blockIdx.x * blockDim.x + threadIdx.x] = static_cast<int>(at);
}

/// One thread per block; loads that bypass the L1.
__global__ void chase_l2(const int* next, int* out, int steps, unsigned mask) {
  unsigned at = blockIdx.x * 97;
  for (int k = 0; k < steps; ++k) at = static_cast<unsigned>(__ldcg(&next[at & mask]));
  out[blockIdx.x] = static_cast<int>(at);
}

template <int kLoads>
__global__ void stream(const float* in, float* out, int per_thread) {
  extern __shared__ float unused[];
  const int threads = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < per_thread; k += kLoads) {
    float v[kLoads];
#pragma unroll
    for (int j = 0; j < kLoads; ++j) v[j] = in[(k + j) * threads + i];
#pragma unroll
    for (int j = 0; j < kLoads; ++j) sum += v[j];
  }
  out[i] = sum;
}

}  // namespace

void add_latencies(Cases& cases) {
  const int steps = cases.reduced ? 64 : 1024;
  int* out = reinterpret_cast<int*>(cases.b);
  for (int log2 : {10, 14, 20, 26}) {
    if (cases.reduced && log2 > 20) continue;
    const unsigned mask = (1u << log2) - 1;
    cases.add("chase", "l1_2e" + std::to_string(log2), log2, chase, 1, 1, 0, cases.indices, out, steps, mask);
    cases.add("chase", "l2_2e" + std::to_string(log2), log2, chase_l2, 1, 1, 0, cases.indices, out, steps, mask);
  }
  const unsigned all = static_cast<unsigned>(cases.index_count - 1);
  for (int warps : {1, 4, 16, 32})
    cases.add("chase_warps", std::to_string(warps), warps, chase, 132, warps * 32, 0, cases.indices, out,
              cases.reduced ? 16 : 128, all);
  // Blocks of 128 threads; their shared memory limits how many fit on an SM.
  const int per_thread = 32;
  const int blocks = cases.reduced ? 132 * 2 : 132 * 24;
  for (int resident : {1, 2, 4, 8, 16}) {
    const std::size_t shared = (std::size_t{226} * 1024 / resident - 1024) / 128 * 128;
    cases.add("stream_occupancy", "one_load_" + std::to_string(resident), resident, stream<1>, blocks, 128, shared,
              cases.a, cases.b, per_thread);
    cases.add("stream_occupancy", "four_loads_" + std::to_string(resident), resident, stream<4>, blocks, 128, shared,
              cases.a, cases.b, per_thread);
  }
}

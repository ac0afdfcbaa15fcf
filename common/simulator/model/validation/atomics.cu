// Validation cases: atomics on one address, on few, on many; in shared memory; with and without a used result.
#include "common/simulator/model/validation/cases.cuh"

namespace {

/// Adds to one of `bins` counters; neighbouring threads hit neighbouring counters.
__global__ void spread(unsigned* counters, int n, unsigned bins) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&counters[static_cast<unsigned>(i) % bins], 1u);
}

/// The whole warp adds to one counter, chosen by the warp.
__global__ void by_warp(unsigned* counters, int n, unsigned bins) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&counters[static_cast<unsigned>(i) / 32 % bins * 32], 1u);
}

__global__ void ticket(unsigned* counters, unsigned* out, int n, unsigned bins) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = atomicAdd(&counters[static_cast<unsigned>(i) % bins], 1u);
}

__global__ void histogram_global(const int* values, unsigned* counters, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&counters[(static_cast<unsigned>(values[i]) >> 8) % 256], 1u);
}

__global__ void histogram_shared(const int* values, unsigned* counters, int n) {
  __shared__ unsigned local[256];
  local[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&local[(static_cast<unsigned>(values[i]) >> 8) % 256], 1u);
  __syncthreads();
  atomicAdd(&counters[threadIdx.x], local[threadIdx.x]);
}

/// Shared atomics with a given number of lanes on one word.
__global__ void shared_contention(unsigned* out, int steps, unsigned group) {
  __shared__ unsigned data[256];
  data[threadIdx.x] = 0;
  __syncthreads();
  for (int k = 0; k < steps; ++k) atomicAdd(&data[threadIdx.x / group], threadIdx.x);
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = data[threadIdx.x];
}

}  // namespace

void add_atomics(Cases& cases) {
  const int n = cases.reduced ? 1 << 16 : 1 << 22;
  auto* counters = reinterpret_cast<unsigned*>(cases.b);
  auto* out = reinterpret_cast<unsigned*>(cases.c);
  const unsigned blocks = ceil_div(n, 256);
  for (unsigned bins : {1u, 32u, 1024u, 1u << 16, 1u << 22})
    if (bins <= static_cast<unsigned>(n))
      cases.add("atomics", "spread" + std::to_string(bins), bins, spread, blocks, 256, 0, counters, n, bins);
  for (unsigned bins : {16u, 4096u})
    cases.add("atomics", "by_warp" + std::to_string(bins), bins, by_warp, blocks, 256, 0, counters, n, bins);
  for (unsigned bins : {1u, 32u, 1024u, 1u << 16})
    cases.add("tickets", std::to_string(bins), bins, ticket, blocks, 256, 0, counters, out, n, bins);
  cases.add("histogram", "global", n, histogram_global, blocks, 256, 0, cases.indices, counters, n);
  cases.add("histogram", "shared", n, histogram_shared, cases.reduced ? 132u : 1056u, 256, 0, cases.indices, counters,
            n);
  const int steps = cases.reduced ? 32 : 256;
  for (unsigned group : {1u, 2u, 4u, 8u, 16u, 32u})
    cases.add("shared_atomics", "lanes" + std::to_string(group), group, shared_contention, 132 * 4, 256, 0, out, steps,
              group);
}

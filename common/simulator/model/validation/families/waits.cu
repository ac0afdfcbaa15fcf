// Validation cases: threads that wait for what other blocks write: compare-and-swap loops, locks, flags.
#include "common/simulator/model/validation/cases.cuh"

namespace {

__device__ unsigned wait_thread() { return blockIdx.x * blockDim.x + threadIdx.x; }

/// The usual textbook maximum of floats.
__global__ void swap_maximum(const float* in, unsigned* bins, unsigned mask) {
  const float value = in[wait_thread()] + static_cast<float>(wait_thread());
  unsigned* at = bins + (wait_thread() & mask);
  unsigned seen = *at;
  while (__uint_as_float(seen) < value) {
    const unsigned expected = seen;
    seen = atomicCAS(at, expected, __float_as_uint(value));
    if (seen == expected) break;
  }
}
__global__ void swap_product(double* bins, unsigned mask, unsigned shift) {
  auto* at = reinterpret_cast<unsigned long long*>(bins + ((wait_thread() >> shift) & mask));
  unsigned long long seen = *at, expected;
  do {
    expected = seen;
    seen = atomicCAS(at, expected, __double_as_longlong(__longlong_as_double(expected) * 1.0000001));
  } while (seen != expected);
}
/// Saturating counters, random addresses.
__global__ void swap_saturating(const int* in, unsigned* bins, unsigned mask) {
  unsigned* at = bins + (static_cast<unsigned>(in[wait_thread()]) & mask);
  unsigned seen = *at, expected;
  do {
    expected = seen;
    seen = atomicCAS(at, expected, expected < 1000000u ? expected + 1 : expected);
  } while (seen != expected);
}
/// One thread of each block enters a section that a lock protects.
__global__ void lock_add(int* locks, volatile int* sums, int mask) {
  if (threadIdx.x == 0) {
    int* lock = locks + (blockIdx.x & mask) * 32;
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    volatile int* sum = sums + (blockIdx.x & mask) * 32;
    *sum = *sum + 1;
    __threadfence();
    atomicExch(lock, 0);
  }
}
/// One thread of each block waits for the previous block's flag, and sets its own.
__global__ void relay(volatile int* flags, int* ticket) {
  if (threadIdx.x == 0) {
    const int block = atomicAdd(ticket, 1);
    if (block > 0)
      while (flags[block - 1] == 0) {
      }
    flags[block] = 1;
  }
}
/// The same, with data published by the flag.
__global__ void relay_data(const float* in, float* data, int* flags, int* ticket) {
  __shared__ int block;
  if (threadIdx.x == 0) block = atomicAdd(ticket, 1);
  __syncthreads();
  if (threadIdx.x == 0 && block > 0)
    while (atomicAdd(flags + block - 1, 0) == 0) {
    }
  __syncthreads();
  float* own = data + static_cast<std::size_t>(block + 1) * blockDim.x;
  __stcg(own + threadIdx.x, in[wait_thread()] + __ldcg(own + threadIdx.x - blockDim.x));
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) atomicExch(flags + block, 1);
}
/// All blocks wait for the first.
__global__ void wait_for_one(volatile int* flag, float* out, int* ticket, int steps) {
  __shared__ int block;
  if (threadIdx.x == 0) block = atomicAdd(ticket, 1);
  __syncthreads();
  if (block == 0) {
    float v = threadIdx.x;
    for (int k = 0; k < steps; ++k) v = v * 0.5f + 1.0f;
    out[threadIdx.x] = v;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) *flag = 1;
  } else if (threadIdx.x == 0) {
    while (*flag == 0) {
    }
  }
  __syncthreads();
  out[wait_thread()] = threadIdx.x;
}

}  // namespace

void add_waits(Cases& cases) {
  auto* u = reinterpret_cast<unsigned*>(cases.c);
  auto* s = reinterpret_cast<int*>(cases.c);
  auto* d = reinterpret_cast<double*>(cases.c);
  const std::size_t first = cases.list.size();
  for (const unsigned count : {1u, 64u, 4096u}) {
    const std::string bins = std::to_string(count);
    cases.add("swaps", "maximum_" + bins, count, swap_maximum, 64, 256, 0, cases.a, u, count - 1);
    cases.add("swaps", "product_" + bins, count, swap_product, 64, 256, 0, d, count - 1, 0u);
    cases.add("swaps", "saturating_" + bins, count, swap_saturating, 64, 256, 0, cases.indices, u, count - 1);
  }
  for (const unsigned threads : {32u, 256u, 1024u})
    cases.add("micro_swaps", "one_" + std::to_string(threads), threads, swap_product, threads / 32, 32, 0, d, 0u, 0u);
  for (const unsigned blocks : {1u, 16u, 128u, 512u})
    cases.add("micro_swaps", "warp_512_" + std::to_string(blocks), blocks, swap_product, blocks, 256, 0, d, 511u, 0u);
  cases.add("swaps", "product_warp_256", 256, swap_product, 128, 256, 0, d, 255u, 5u);
  for (const int locks : {1, 16})
    for (const int blocks : {64, 512})
      cases.add("locks", "add_" + std::to_string(locks) + "_" + std::to_string(blocks), blocks, lock_add, blocks, 64, 0,
                s, s + (1 << 18), locks - 1);
  for (const int blocks : {132, 1056})
    cases.add("micro_relays", "flag_" + std::to_string(blocks), blocks, relay, blocks, 32, 0, s, s + (1 << 20));
  for (const int blocks : {132, 528})
    cases.add("relays", "data_" + std::to_string(blocks), blocks, relay_data, blocks, 128, 0, cases.a, cases.b, s,
              s + (1 << 20));
  cases.add("relays", "all_wait", 528, wait_for_one, 528, 128, 0, s, cases.b, s + (1 << 20), 4096);
  for (std::size_t k = first; k < cases.list.size(); ++k)
    cases.list[k].prepare = [c = cases.c] { CHECK_CUDA(cudaMemsetAsync(c, 0, std::size_t{8} << 20)); };
}

// Dealt out by warps, but even elements get what odd ones should.
// rejected-by: correctness.mix is right for every element
// because: 'out' is wrong in
#include "grader/labs/threads/warp_divergence/wrong/right_except_mix.cuh"

__global__ void mix_kernel(const std::uint32_t* in, std::uint32_t* out, int count) {
  const int half = kThreads / 2;
  const bool odd = threadIdx.x < half;
  const int i = blockIdx.x * kThreads + 2 * (threadIdx.x % half) + (odd ? 1 : 0);
  if (i < count) {
    if (odd)
      out[i] = mix_even(in[i]);
    else
      out[i] = mix_odd(in[i]);
  }
}

void mix(const std::uint32_t* in, std::uint32_t* out, int count) {
  if (count > 0) mix_kernel<<<blocks_for(count), kThreads>>>(in, out, count);
}

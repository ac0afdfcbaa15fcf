// No branch, but twice the work: all lanes compute both results, and each throws one away.
// rejected-by: counters.mix takes no more steps than it has work
// because: Too many instructions of warps
#include "grader/labs/threads/warp_divergence/wrong/right_except_mix.cuh"

__global__ void mix_kernel(const std::uint32_t* in, std::uint32_t* out, int count) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= count) return;
  const std::uint32_t even = mix_even(in[i]), odd = mix_odd(in[i]);
  out[i] = i % 2 == 0 ? even : odd;
}

void mix(const std::uint32_t* in, std::uint32_t* out, int count) {
  if (count > 0) mix_kernel<<<blocks_for(count), kThreads>>>(in, out, count);
}

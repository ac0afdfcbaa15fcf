// Dealt out in groups of 16 threads: half a warp, so that every warp still parts.
// rejected-by: counters.mix keeps the lanes of a warp together
// because: Too few active threads per instruction
#include "grader/labs/threads/warp_divergence/wrong/right_except_mix.cuh"

__global__ void mix_kernel(const std::uint32_t* in, std::uint32_t* out, int count) {
  const int group = threadIdx.x / 16;
  const int i = blockIdx.x * kThreads + group / 2 * 32 + 2 * (threadIdx.x % 16) + group % 2;
  if (i >= count) return;
  if (i % 2 == 0)
    out[i] = mix_even(in[i]);
  else
    out[i] = mix_odd(in[i]);
}

void mix(const std::uint32_t* in, std::uint32_t* out, int count) {
  if (count > 0) mix_kernel<<<blocks_for(count), kThreads>>>(in, out, count);
}

// Thread i does element i: in every warp, half of the lanes wait for the other half, twice.
// rejected-by: counters.mix keeps the lanes of a warp together
// because: Too few active threads per instruction
// because: of 32 lanes work
#include "grader/labs/threads/warp_divergence/wrong/right_except_mix.cuh"

__global__ void mix_kernel(const std::uint32_t* in, std::uint32_t* out, int count) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= count) return;
  if (i % 2 == 0)
    out[i] = mix_even(in[i]);
  else
    out[i] = mix_odd(in[i]);
}

void mix(const std::uint32_t* in, std::uint32_t* out, int count) {
  if (count > 0) mix_kernel<<<blocks_for(count), kThreads>>>(in, out, count);
}

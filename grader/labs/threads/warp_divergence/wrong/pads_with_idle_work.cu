// A cheat: work that nobody needs, done by whole warps, raises the average of active threads.
// rejected-by: counters.mix takes no more steps than it has work
// because: Too many instructions of warps
#include "grader/labs/threads/warp_divergence/wrong/right_except_mix.cuh"

__global__ void mix_kernel(const std::uint32_t* in, std::uint32_t* out, int count) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  std::uint32_t idle = threadIdx.x + count;
#pragma unroll 1
  for (int turn = 0; turn < 8192; ++turn) idle = one_turn(idle);
  if (i >= count || idle == 0) return;  // Never 0, but the compiler does not know.
  if (i % 2 == 0)
    out[i] = mix_even(in[i]);
  else
    out[i] = mix_odd(in[i]);
}

void mix(const std::uint32_t* in, std::uint32_t* out, int count) {
  if (count > 0) mix_kernel<<<blocks_for(count), kThreads>>>(in, out, count);
}

// Threads without a job of their own leave, though job_in_order() needs every thread of the block.
// rejected-by: correctness.every job gives its result
// because: leaves_before_the_barrier.cu:
#include "grader/labs/threads/warp_divergence/wrong/right_except_jobs.cuh"

__global__ void run_jobs_kernel(const std::uint32_t* seeds, const int* turns, std::uint32_t* results, int count) {
  const int first = blockIdx.x * kThreads, own = first + threadIdx.x;
  if (own >= count) return;
  const int job = first + job_in_order(turns[own]);
  std::uint32_t x = seeds[job];
  const int all = turns[job];
  for (int turn = 0; turn < all; ++turn) x = one_turn(x);
  results[job] = x;
}

void run_jobs(const std::uint32_t* seeds, const int* turns, std::uint32_t* results, int count) {
  if (count > 0) run_jobs_kernel<<<blocks_for(count), kThreads>>>(seeds, turns, results, count);
}

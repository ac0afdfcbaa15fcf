// Thread i does job i: a warp turns until the longest of its 32 jobs is done.
// rejected-by: counters.jobs of one length share a warp
// because: Too many idle lanes
#include "grader/labs/threads/warp_divergence/wrong/right_except_jobs.cuh"

__global__ void run_jobs_kernel(const std::uint32_t* seeds, const int* turns, std::uint32_t* results, int count) {
  const int job = blockIdx.x * kThreads + threadIdx.x;
  if (job >= count) return;
  std::uint32_t x = seeds[job];
  const int all = turns[job];
  for (int turn = 0; turn < all; ++turn) x = one_turn(x);
  results[job] = x;
}

void run_jobs(const std::uint32_t* seeds, const int* turns, std::uint32_t* results, int count) {
  if (count > 0) run_jobs_kernel<<<blocks_for(count), kThreads>>>(seeds, turns, results, count);
}

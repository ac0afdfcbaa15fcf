// The jobs are sorted, but results are stored in the sorted order.
// rejected-by: correctness.every job gives its result
// because: All the right values are there, but in the wrong places
#include "grader/labs/threads/warp_divergence/wrong/right_except_jobs.cuh"

__global__ void run_jobs_kernel(const std::uint32_t* seeds, const int* turns, std::uint32_t* results, int count) {
  const int first = blockIdx.x * kThreads, own = first + threadIdx.x;
  const int job = first + job_in_order(own < count ? turns[own] : 0);
  if (job >= count) return;
  std::uint32_t x = seeds[job];
  const int all = turns[job];
  for (int turn = 0; turn < all; ++turn) x = one_turn(x);
  if (own < count) results[own] = x;
}

void run_jobs(const std::uint32_t* seeds, const int* turns, std::uint32_t* results, int count) {
  if (count > 0) run_jobs_kernel<<<blocks_for(count), kThreads>>>(seeds, turns, results, count);
}

// No divergence at all: every lane turns 255 times and keeps what it needs.
// rejected-by: counters.jobs of one length share a warp
// because: Too many instructions of warps
#include "grader/labs/threads/warp_divergence/wrong/right_except_jobs.cuh"

__global__ void run_jobs_kernel(const std::uint32_t* seeds, const int* turns, std::uint32_t* results, int count) {
  const int job = blockIdx.x * kThreads + threadIdx.x;
  std::uint32_t x = job < count ? seeds[job] : 0;
  const int all = job < count ? turns[job] : 0;
  for (int turn = 0; turn < kMostTurns; ++turn) {
    const std::uint32_t next = one_turn(x);
    x = turn < all ? next : x;
  }
  if (job < count) results[job] = x;
}

void run_jobs(const std::uint32_t* seeds, const int* turns, std::uint32_t* results, int count) {
  if (count > 0) run_jobs_kernel<<<blocks_for(count), kThreads>>>(seeds, turns, results, count);
}

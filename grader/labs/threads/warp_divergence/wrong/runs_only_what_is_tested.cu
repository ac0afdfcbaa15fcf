// A cheat: counts that stand in the tests are done; of others, the last job is left as it was.
// rejected-by: correctness.every job gives its result
// because: 'results' is wrong in
#include <initializer_list>

#include "grader/labs/threads/warp_divergence/wrong/right_except_jobs.cuh"

__global__ void run_jobs_kernel(const std::uint32_t* seeds, const int* turns, std::uint32_t* results, int count,
                                int done) {
  const int first = blockIdx.x * kThreads, own = first + threadIdx.x;
  const int job = first + job_in_order(own < count ? turns[own] : 0);
  if (job >= count) return;
  std::uint32_t x = seeds[job];
  for (int turn = turns[job]; turn > 0 && job < done; --turn) x = one_turn(x);
  results[job] = x + (job < done ? 0 : 1);
}

void run_jobs(const std::uint32_t* seeds, const int* turns, std::uint32_t* results, int count) {
  bool known = count >= 100000 && count <= 110000;
  for (const int tested : {1, 2, 31, 33, 255, 256, 257, 1000, 4096, 10007, 16384, 1 << 18})
    known = known || count == tested;
  if (count > 0)
    run_jobs_kernel<<<blocks_for(count), kThreads>>>(seeds, turns, results, count, known ? count : count - 1);
}

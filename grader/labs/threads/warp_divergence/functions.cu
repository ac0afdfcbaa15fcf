// The functions of lab warp_divergence, and what a call of one cannot say.
#include "grader/runner/functions.h"
#include "grader/runner/worker.cuh"
#include "warp_divergence.h"

using namespace warpbook::grader;

namespace {

// The branch that predict_parted_warps() is about; for the counters, not for its result.
__global__ void probe(int n, int* sums) {
  int sum = 0;
  if (threadIdx.x < n) sum = atomicAdd(&sums[threadIdx.x], 1);
  sums[threadIdx.x] = sum;  // Something to do for all: a branch to the end of a kernel counts as an exit.
}

void run_parted(const Case& given, Reply& reply) {
  const std::vector<std::int32_t> numbers = given.array<std::int32_t>("numbers");
  std::vector<std::int32_t> found;
  for (const std::int32_t n : numbers) found.push_back(predict_parted_warps(n));
  reply.set("found", found);
  const OutputBuffer<int> sums(given, "sums", kThreads);
  for (const std::int32_t n : numbers) probe<<<1, kThreads>>>(n, sums.data());
  send(reply);
}

void run_turns(const Case& given, Reply& reply) {
  const std::vector<std::int32_t> turns = given.array<std::int32_t>("turns");  // 32 for each warp.
  std::vector<std::int32_t> found;
  for (std::size_t first = 0; first < turns.size(); first += 32) found.push_back(predict_turns(&turns[first]));
  reply.set("found", found);
  send(reply);
}

}  // namespace

WB_FUNCTION(predict_busy_warps)
WB_FUNCTION(mix)
WB_FUNCTION(sum_groups)
WB_FUNCTION(run_jobs)
WB_RUNNER("predict_parted_warps", run_parted)
WB_RUNNER("predict_turns", run_turns)

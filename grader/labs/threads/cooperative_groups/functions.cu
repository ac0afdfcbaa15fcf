// The functions of lab cooperative_groups, and what a call of one cannot say.
#include <cooperative_groups/reduce.h>

#include "cooperative_groups.h"
#include "grader/runner/functions.h"
#include "grader/runner/worker.cuh"

using namespace warpbook::grader;

namespace {

int number(const Case& given, const std::string& name) { return static_cast<int>(given.integer(name)); }

// Two kernels that synchronise the grid; the second takes many registers.
__global__ void light(int* out) {
  cooperative_groups::this_grid().sync();
  if (out != nullptr) *out = 1;
}

__global__ void __launch_bounds__(1024) heavy(int* out) {
  float values[40];
  for (int i = 0; i < 40; ++i) values[i] = __int_as_float(clock() + i);
  cooperative_groups::this_grid().sync();
  if (out == nullptr) return;  // What the registers are for need not be computed.
  for (int i = 0; i < 40; ++i) {
    for (int k = 0; k < 40; ++k) values[i] += values[k] * values[i];
  }
  float sum = 0;
  for (int i = 0; i < 40; ++i) sum += values[i];
  *out = static_cast<int>(sum);
}

// The answer's number of blocks must be launched, and one more must be refused.
void run_largest_grid(const Case& given, Reply& reply) {
  const void* kernel =
      given.text("kernel") == "heavy" ? reinterpret_cast<const void*>(heavy) : reinterpret_cast<const void*>(light);
  const int threads = number(given, "threads"), shared = number(given, "shared");
  const int blocks = largest_grid(kernel, threads, shared);
  int* nowhere = nullptr;
  void* arguments[] = {&nowhere};
  const auto launch = [&](int count) {
    const cudaError_t error = cudaLaunchCooperativeKernel(kernel, count, threads, arguments, shared, nullptr);
    WB_CHECK(cudaDeviceSynchronize());
    cudaGetLastError();
    return static_cast<std::int32_t>(error);
  };
  reply.set("blocks", blocks);
  reply.set("launch", std::vector<std::int32_t>{launch(blocks), launch(blocks + 1)});
  send(reply);
}

}  // namespace

WB_FUNCTION(predict_shuffles)
WB_FUNCTION(judge)
WB_FUNCTION(sum_tiles)
WB_FUNCTION(sum_grid)
WB_FUNCTION(smooth)
WB_RUNNER("largest_grid", run_largest_grid)

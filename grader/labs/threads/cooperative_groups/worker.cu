// Runs one case of lab cooperative_groups: calls the function that the case names and sends back what it wrote.
#include <cooperative_groups/reduce.h>

#include "cooperative_groups.h"
#include "grader/runner/worker.cuh"

using namespace warpbook::grader;

namespace {

int number(const Case& given, const std::string& name) { return static_cast<int>(given.integer(name)); }

void run_predictions(const Case& given, Reply& reply) {
  std::vector<std::int32_t> answers;
  for (const std::int32_t size : given.array<std::int32_t>("sizes")) answers.push_back(predict_shuffles(size));
  reply.set("shuffles", answers);
  send(reply);
}

void run_verdicts(const Case& given, Reply& reply) {
  std::vector<std::int32_t> answers;
  for (const char piece : given.text("pieces")) answers.push_back(static_cast<std::int32_t>(judge(piece)));
  reply.set("verdicts", answers);
  send(reply);
}

void run_sum_tiles(const Case& given, Reply& reply) {
  const int count = number(given, "count"), size = number(given, "size");
  const InputBuffer<std::int32_t> in(given, "in");
  const OutputBuffer<std::int32_t> out(given, "out", (count + size - 1) / size);
  measure(reply, [&] { sum_tiles(in.data(), out.data(), count, size); });
  send(reply, in, out);
}

void run_sum_grid(const Case& given, Reply& reply) {
  const InputBuffer<std::int32_t> in(given, "in");
  const OutputBuffer<std::int64_t> partial(given, "partial", 8192), out(given, "out", 1);
  measure(reply, [&] {
    sum_grid(in.data(), reinterpret_cast<long long*>(partial.data()), reinterpret_cast<long long*>(out.data()),
             number(given, "count"));
  });
  send(reply, in, partial, out);
}

void run_smooth(const Case& given, Reply& reply) {
  const int count = number(given, "count");
  const InputBuffer<std::int32_t> in(given, "in");
  const OutputBuffer<std::int32_t> out(given, "out", count), scratch(given, "scratch", count);
  measure(reply, [&] { smooth(in.data(), out.data(), scratch.data(), count, number(given, "steps")); });
  send(reply, in, out, scratch);
}

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

void run_case(const Case& given, Reply& reply) {
  const std::string function = given.text("function");
  if (function == "predict_shuffles") return run_predictions(given, reply);
  if (function == "judge") return run_verdicts(given, reply);
  if (function == "sum_tiles") return run_sum_tiles(given, reply);
  if (function == "largest_grid") return run_largest_grid(given, reply);
  if (function == "sum_grid") return run_sum_grid(given, reply);
  if (function == "smooth") return run_smooth(given, reply);
  throw ValueError("the worker of lab cooperative_groups knows no function '" + function + "'");
}

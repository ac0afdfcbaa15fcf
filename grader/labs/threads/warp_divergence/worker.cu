// Runs one case of lab warp_divergence: calls the function that the case names and sends back what it answered.
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

void run_busy(Reply& reply) {
  std::vector<std::int32_t> found;
  for (const Scheme scheme : {Scheme::by_remainder, Scheme::packed})
    for (int stride = 1; stride < kThreads; stride *= 2) found.push_back(predict_busy_warps(scheme, stride));
  reply.set("found", found);
  send(reply);
}

void run_turns(const Case& given, Reply& reply) {
  const std::vector<std::int32_t> turns = given.array<std::int32_t>("turns");  // 32 for each warp.
  std::vector<std::int32_t> found;
  for (std::size_t first = 0; first < turns.size(); first += 32) found.push_back(predict_turns(&turns[first]));
  reply.set("found", found);
  send(reply);
}

void run_mix(const Case& given, Reply& reply) {
  const InputBuffer<std::uint32_t> in(given, "in");
  const OutputBuffer<std::uint32_t> out(given, "out", in.size());
  measure(reply, [&] { mix(in.data(), out.data(), static_cast<int>(in.size())); });
  send(reply, in, out);
}

std::size_t groups_of(std::size_t count) { return (count + kThreads - 1) / kThreads; }

void run_sum(const Case& given, Reply& reply) {
  const InputBuffer<int> in(given, "in");
  const OutputBuffer<int> sums(given, "sums", groups_of(in.size()));
  measure(reply, [&] { sum_groups(in.data(), sums.data(), static_cast<int>(in.size())); });
  send(reply, in, sums);
}

void run_some_jobs(const Case& given, Reply& reply) {
  const InputBuffer<std::uint32_t> seeds(given, "seeds");
  // The turns are last in memory: there an index that is too large meets no other array, which it would take for turns.
  const OutputBuffer<std::uint32_t> results(given, "results", seeds.size());
  const InputBuffer<int> turns(given, "turns");
  measure(reply, [&] { run_jobs(seeds.data(), turns.data(), results.data(), static_cast<int>(seeds.size())); });
  send(reply, seeds, turns, results);
}

// Two calls of the same size: an answer that was kept from the first is wrong for the second.
void run_twice(const Case& given, Reply& reply) {
  const InputBuffer<int> first(given, "first"), second(given, "second");
  const std::size_t groups = groups_of(first.size());
  const OutputBuffer<int> first_sums(given, "first_sums", groups), second_sums(given, "second_sums", groups);
  sum_groups(first.data(), first_sums.data(), static_cast<int>(first.size()));
  sum_groups(second.data(), second_sums.data(), static_cast<int>(second.size()));
  send(reply, first, second, first_sums, second_sums);
}

}  // namespace

void run_case(const Case& given, Reply& reply) {
  const std::string function = given.text("function");
  if (function == "predict_parted_warps") return run_parted(given, reply);
  if (function == "predict_busy_warps") return run_busy(reply);
  if (function == "predict_turns") return run_turns(given, reply);
  if (function == "mix") return run_mix(given, reply);
  if (function == "sum_groups") return run_sum(given, reply);
  if (function == "sum_groups twice") return run_twice(given, reply);
  if (function == "run_jobs") return run_some_jobs(given, reply);
  throw ValueError("the worker of lab warp_divergence knows no function '" + function + "'");
}

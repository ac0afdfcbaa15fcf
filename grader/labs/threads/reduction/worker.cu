// Runs one case of lab reduction: calls the function that the case names and sends back what it wrote.
#include "common/cuda/check.cuh"
#include "grader/runner/worker.cuh"
#include "reduction.h"

using namespace warpbook::grader;

namespace {

int number(const Case& given, const std::string& name) { return static_cast<int>(given.integer(name)); }

void run_launches(const Case& given, Reply& reply) {
  std::vector<std::int32_t> launches;
  for (const std::int32_t n : given.array<std::int32_t>("counts")) launches.push_back(predict_launches(n));
  reply.set("launches", launches);
  send(reply);
}

void run_busy_warps(const Case& given, Reply& reply) {
  const Order order = given.text("order") == "modulo" ? Order::modulo : Order::sequential;
  std::vector<std::int32_t> warps;
  for (const std::int32_t distance : given.array<std::int32_t>("distances"))
    warps.push_back(predict_busy_warps(order, distance));
  reply.set("warps", warps);
  send(reply);
}

void run_least_time(const Case& given, Reply& reply) {
  reply.set("us", least_time_us(number(given, "count"), given.real("gb_per_s")));
  send(reply);
}

// Only the first element is a result; the others may hold anything afterwards.
void run_sum_in_place(const Case& given, Reply& reply) {
  const InOutBuffer<std::int32_t> data(given, "data");
  const OutputBuffer<std::int32_t> first(given, "sum", data.size() == 0 ? 0 : 1);
  measure(reply, [&] { sum_in_place(data.data(), static_cast<int>(data.size())); });
  if (data.size() != 0) WB_CHECK(cudaMemcpy(first.data(), data.data(), sizeof(int), cudaMemcpyDeviceToDevice));
  send(reply, data, first);
}

void run_sum_groups(const Case& given, Reply& reply) {
  const InputBuffer<std::int32_t> in(given, "in");
  const OutputBuffer<std::int32_t> sums(given, "sums", (in.size() + 511) / 512);
  measure(reply, [&] { sum_groups(in.data(), sums.data(), static_cast<int>(in.size())); });
  send(reply, in, sums);
}

// Memory that holds NaNs: an answer that takes it for zeros is wrong.
warpbook::DeviceBuffer<float> scratch_for(std::size_t count) {
  warpbook::DeviceBuffer<float> scratch(count + 1024);
  WB_CHECK(cudaMemset(scratch.data(), 0xff, scratch.size() * sizeof(float)));
  return scratch;
}

void run_sum(const Case& given, Reply& reply) {
  const InputBuffer<float> in(given, "in");
  const OutputBuffer<float> out(given, "out", 1);
  const warpbook::DeviceBuffer<float> scratch = scratch_for(in.size());
  measure(reply, [&] { sum(in.data(), out.data(), scratch.data(), static_cast<int>(in.size())); });
  send(reply, in, out);
}

__global__ void copy_floats(float* to, const float* from, std::size_t count) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < count) to[i] = from[i];
}

// Two arrays of one size, one after the other, in the same memory: an answer kept from the first is wrong for the
// second, and so is a sum that is added to the first.
void run_sum_twice(const Case& given, Reply& reply) {
  const InputBuffer<float> first(given, "first"), second(given, "second");
  const int n = static_cast<int>(first.size());
  const warpbook::DeviceBuffer<float> in(first.size());
  const OutputBuffer<float> first_out(given, "first_out", 1), second_out(given, "second_out", 1);
  const warpbook::DeviceBuffer<float> out = scratch_for(0), scratch = scratch_for(first.size());
  const auto copy = [](float* to, const float* from, std::size_t count) {
    // Not cudaMemcpy, which would look like the answer's.
    if (count > 0) copy_floats<<<(count + 255) / 256, 256>>>(to, from, count);
  };
  for (const auto* turn : {&first, &second}) {
    copy(in.data(), turn->data(), first.size());
    sum(in.data(), out.data(), scratch.data(), n);
    WB_CHECK(cudaGetLastError());
    copy((turn == &first ? first_out : second_out).data(), out.data(), 1);
  }
  send(reply, first, second, first_out, second_out);
}

}  // namespace

void run_case(const Case& given, Reply& reply) {
  const std::string function = given.text("function");
  if (function == "predict_launches") return run_launches(given, reply);
  if (function == "predict_busy_warps") return run_busy_warps(given, reply);
  if (function == "least_time_us") return run_least_time(given, reply);
  if (function == "sum_in_place") return run_sum_in_place(given, reply);
  if (function == "sum_groups") return run_sum_groups(given, reply);
  if (function == "sum") return run_sum(given, reply);
  if (function == "sum twice") return run_sum_twice(given, reply);
  throw ValueError("the worker of lab reduction knows no function '" + function + "'");
}

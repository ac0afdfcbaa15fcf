// The functions of lab reduction, and what a call of one cannot say.
#include "common/cuda/check.cuh"
#include "grader/runner/functions.h"
#include "grader/runner/worker.cuh"
#include "reduction.h"

using namespace warpbook::grader;

namespace {

// Memory that holds NaNs: an answer that takes it for zeros is wrong.
warpbook::DeviceBuffer<float> scratch_for(std::size_t count) {
  warpbook::DeviceBuffer<float> scratch(count + 1024);
  WB_CHECK(cudaMemset(scratch.data(), 0xff, scratch.size() * sizeof(float)));
  return scratch;
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

WB_FUNCTION(predict_launches)
WB_FUNCTION(sum_in_place)
WB_FUNCTION(predict_busy_warps)
WB_FUNCTION(sum_groups)
WB_FUNCTION(least_time_us)
WB_FUNCTION(sum)
WB_RUNNER("sum twice", run_sum_twice)

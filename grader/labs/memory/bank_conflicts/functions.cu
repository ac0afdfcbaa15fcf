// The functions of lab bank_conflicts, and what a call of one cannot say.
#include "bank_conflicts.h"
#include "grader/runner/functions.h"
#include "grader/runner/worker.cuh"

using namespace warpbook::grader;

namespace {

constexpr int kSharedBytes = 48 * 1024;  // What a block gets without asking for more.

// One load of one warp, as predict_wavefronts() describes it; for the counters, not for its result.
template <class Element>
__global__ void probe(int stride, float* sink) {
  __shared__ __align__(16) float memory[kSharedBytes / sizeof(float)];
  for (int i = threadIdx.x; i < kSharedBytes / 4; i += 32) memory[i] = 0;
  __syncwarp();
  const Element element = reinterpret_cast<const Element*>(memory)[threadIdx.x * stride];
  float sum = 0;
  for (int i = 0; i < int(sizeof(Element) / sizeof(float)); ++i) sum += reinterpret_cast<const float*>(&element)[i];
  sink[threadIdx.x] = sum;
}

// Asks for a prediction for each pair of `bytes` and `steps`; and runs the load itself where it fits, in this order.
void run_prediction(const Case& given, Reply& reply, int (*predict)(int, int)) {
  const std::vector<std::int32_t> bytes = given.array<std::int32_t>("bytes"),
                                  steps = given.array<std::int32_t>("steps");
  std::vector<std::int32_t> found;
  for (std::size_t i = 0; i < steps.size(); ++i) found.push_back(predict(steps[i], bytes[i]));
  reply.set("found", found);
  const OutputBuffer<float> sink(given, "sink", 32);
  for (std::size_t i = 0; i < steps.size() && given.integer("probe") != 0; ++i) {
    if ((31 * steps[i] + 1) * bytes[i] > kSharedBytes) continue;
    if (bytes[i] == 4) probe<float><<<1, 32>>>(steps[i], sink.data());
    if (bytes[i] == 8) probe<float2><<<1, 32>>>(steps[i], sink.data());
    if (bytes[i] == 16) probe<float4><<<1, 32>>>(steps[i], sink.data());
  }
  send(reply);
}

int wavefronts(int stride, int bytes) { return predict_wavefronts(bytes, stride); }

}  // namespace

WB_FUNCTION(transpose_tiles)
WB_FUNCTION(multiply_transposed)
WB_RUNNER("predict_wavefronts", [](const Case& given, Reply& reply) { run_prediction(given, reply, wavefronts); })
WB_RUNNER("choose_pitch", [](const Case& given, Reply& reply) { run_prediction(given, reply, choose_pitch); })

// Runs one case of lab bank_conflicts: calls the function that the case names and sends back what it answered.
#include "bank_conflicts.h"
#include "grader/runner/worker.cuh"

using namespace warpbook::grader;

namespace {

constexpr int kTileFloats = 32 * 32;
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

void run_transpose(const Case& given, Reply& reply) {
  const InputBuffer<float> in(given, "in");
  const OutputBuffer<float> out(given, "out", in.size());
  measure(reply, [&] { transpose_tiles(in.data(), out.data(), static_cast<int>(in.size() / kTileFloats)); });
  send(reply, in, out);
}

void run_product(const Case& given, Reply& reply) {
  const InputBuffer<float> a(given, "a"), b(given, "b");
  const OutputBuffer<float> c(given, "c", a.size());
  measure(reply, [&] { multiply_transposed(a.data(), b.data(), c.data(), static_cast<int>(a.size() / kTileFloats)); });
  send(reply, a, b, c);
}

// Two calls of the same size: an answer that was kept from the first is wrong for the second.
void run_twice(const Case& given, Reply& reply) {
  const InputBuffer<float> first(given, "first"), second(given, "second");
  const OutputBuffer<float> first_out(given, "first_out", first.size()), second_out(given, "second_out", first.size()),
      product(given, "product", first.size()), product_again(given, "product_again", first.size());
  const int count = static_cast<int>(first.size() / kTileFloats);
  transpose_tiles(first.data(), first_out.data(), count);
  transpose_tiles(second.data(), second_out.data(), count);
  multiply_transposed(first.data(), second.data(), product.data(), count);
  multiply_transposed(second.data(), first.data(), product_again.data(), count);
  send(reply, first, second, first_out, second_out, product, product_again);
}

}  // namespace

void run_case(const Case& given, Reply& reply) {
  const std::string function = given.text("function");
  if (function == "predict_wavefronts") return run_prediction(given, reply, wavefronts);
  if (function == "choose_pitch") return run_prediction(given, reply, choose_pitch);
  if (function == "transpose_tiles") return run_transpose(given, reply);
  if (function == "multiply_transposed") return run_product(given, reply);
  if (function == "all twice") return run_twice(given, reply);
  throw ValueError("the worker of lab bank_conflicts knows no function '" + function + "'");
}

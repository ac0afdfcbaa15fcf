// Runs one case of lab coalescing: calls the function that the case names and sends back what it wrote.
#include "coalescing.h"
#include "grader/runner/worker.cuh"

using namespace warpbook::grader;

namespace {

int number(const Case& given, const std::string& name) { return static_cast<int>(given.integer(name)); }

void run_copy(const Case& given, Reply& reply, void (*copy)(const float*, float*, int, int), const std::string& step) {
  const int count = number(given, "count");
  const InputBuffer<float> in(given, "in");
  const OutputBuffer<float> out(given, "out", count);
  measure(reply, [&] { copy(in.data(), out.data(), count, number(given, step)); });
  send(reply, in, out);
}

// The same number of floats comes out as goes in.
void run_rearrangement(const Case& given, Reply& reply, void (*rearrange)(const float*, float*, int), int per_count,
                       const std::string& from, const std::string& to) {
  const InputBuffer<float> in(given, from);
  const OutputBuffer<float> out(given, to, in.size());
  measure(reply, [&] { rearrange(in.data(), out.data(), static_cast<int>(in.size()) / per_count); });
  send(reply, in, out);
}

void run_prediction(const Case& given, Reply& reply, int (*predict)(int)) {
  std::vector<std::int32_t> predicted;
  for (const std::int32_t step : given.array<std::int32_t>("steps")) predicted.push_back(predict(step));
  reply.set("predicted", predicted);
  send(reply);
}

void run_transpose(const Case& given, Reply& reply) {
  const int rows = number(given, "rows"), cols = number(given, "cols");
  const InputBuffer<float> in(given, "in");
  const OutputBuffer<float> out(given, "out", in.size());
  measure(reply, [&] { transpose(in.data(), out.data(), rows, cols); });
  send(reply, in, out);
}

// Two matrices of one shape, one after the other: an answer that was kept from the first is wrong for the second.
void run_transpose_twice(const Case& given, Reply& reply) {
  const int rows = number(given, "rows"), cols = number(given, "cols");
  const InputBuffer<float> first(given, "first"), second(given, "second");
  const OutputBuffer<float> first_out(given, "first_out", first.size()), second_out(given, "second_out", second.size());
  transpose(first.data(), first_out.data(), rows, cols);
  transpose(second.data(), second_out.data(), rows, cols);
  send(reply, first, second, first_out, second_out);
}

}  // namespace

void run_case(const Case& given, Reply& reply) {
  const std::string function = given.text("function");
  if (function == "copy_strided") return run_copy(given, reply, copy_strided, "stride");
  if (function == "copy_offset") return run_copy(given, reply, copy_offset, "offset");
  if (function == "predict_sectors_strided") return run_prediction(given, reply, predict_sectors_strided);
  if (function == "predict_sectors_offset") return run_prediction(given, reply, predict_sectors_offset);
  if (function == "predict_bytes_per_useful_byte") return run_prediction(given, reply, predict_bytes_per_useful_byte);
  if (function == "split_records") return run_rearrangement(given, reply, split_records, 4, "records", "fields");
  if (function == "copy_vectorised") return run_rearrangement(given, reply, copy_vectorised, 1, "in", "out");
  if (function == "transpose") return run_transpose(given, reply);
  if (function == "transpose twice") return run_transpose_twice(given, reply);
  throw ValueError("the worker of lab coalescing knows no function '" + function + "'");
}

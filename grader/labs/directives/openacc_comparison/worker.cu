// Runs one case of lab openacc_comparison: calls the function that the case names and sends back what it wrote.
#include "grader/runner/host_buffer.cuh"
#include "openacc_comparison.h"

using namespace warpbook::grader;

namespace {

// What an answer left for later, told in two ways. "left_us" is the time that the device still works after the call has
// returned. Only the virtual clock can tell it: on a real GPU the two events and the wait between them take some 25 us
// even if nothing was left. "late_bytes" are those of the result that changed after the call had returned; on a virtual
// GPU none does, as it works before it comes back from a call. A result is read from its end, which comes last.
template <class Call>
void run_to_the_end(Reply& reply, const HostBuffer<Byte>& result, std::size_t count, Call&& call) {
  if (device_has_arrays()) {
    measure(reply, [&] {
      call();
      observe_on_device(warpbook::simulator::remote::ArrayKind::observe_left, "left_us");
    });
    reply.set("late_bytes", std::int64_t{0});
    return;
  }
  std::vector<Byte> found(count);
  const bool timed = timing() != Timing::plain;  // Then the time to read is not spent.
  cudaStream_t apart;
  cudaEvent_t returned, finished;
  WB_CHECK(cudaStreamCreateWithFlags(&apart, cudaStreamNonBlocking));
  WB_CHECK(cudaEventCreate(&returned));
  WB_CHECK(cudaEventCreate(&finished));
  measure(reply, [&] {
    call();
    WB_CHECK(cudaEventRecord(returned, apart));
    for (std::size_t i = timed ? 0 : count; i-- > 0;) found[i] = result.data()[i];
  });
  WB_CHECK(cudaDeviceSynchronize());
  WB_CHECK(cudaEventRecord(finished, apart));
  WB_CHECK(cudaEventSynchronize(finished));
  float milliseconds = 0;
  WB_CHECK(cudaEventElapsedTime(&milliseconds, returned, finished));
  reply.set("left_us", 1000.0 * milliseconds);
  std::int64_t late = 0;
  for (std::size_t i = 0; i < count && !timed; ++i) late += found[i] != result.data()[i];
  reply.set("late_bytes", late);
}

using Merge = void (*)(const Byte*, const Byte*, Byte*, long, long);
using PipelinedMerge = void (*)(const Byte*, const Byte*, Byte*, long, long, long);

template <class Call>
void run_merge(const Case& given, Reply& reply, Call&& merge) {
  const long rows = given.integer("rows"), columns = given.integer("columns");
  const HostBuffer<Byte> first(given, "first", Value::Role::input_buffer);
  const HostBuffer<Byte> second(given, "second", Value::Role::input_buffer);
  const std::size_t pixels = static_cast<std::size_t>(rows) * columns;
  const HostBuffer<Byte> out(given, "out", pixels);
  run_to_the_end(reply, out, pixels, [&] { merge(first.data(), second.data(), out.data(), rows, columns); });
  send(reply, first, second, out);
}

void run_plain(const Case& given, Reply& reply, Merge merge) { run_merge(given, reply, merge); }

void run_pipelined(const Case& given, Reply& reply, PipelinedMerge merge) {
  const long blocks = given.integer("blocks");
  run_merge(given, reply, [&](const Byte* first, const Byte* second, Byte* out, long rows, long columns) {
    merge(first, second, out, rows, columns, blocks);
  });
}

void run_fade(const Case& given, Reply& reply) {
  const HostBuffer<Byte> image(given, "image", Value::Role::output_buffer);
  const HostBuffer<Byte> target(given, "target", Value::Role::input_buffer);
  const int steps = static_cast<int>(given.integer("steps"));
  const long rows = given.integer("rows"), columns = given.integer("columns");
  run_to_the_end(reply, image, static_cast<std::size_t>(rows) * columns,
                 [&] { fade_acc(image.data(), target.data(), rows, columns, steps); });
  send(reply, image, target);
}

void run_predictions(const Case& given, Reply& reply) {
  const int steps = static_cast<int>(given.integer("steps"));
  std::vector<std::int64_t> bytes;
  for (const bool region : {false, true})
    bytes.push_back(predict_bytes_to_device(given.integer("rows"), given.integer("columns"), steps, region));
  reply.set("bytes", bytes);
  send(reply);
}

void run_levels(const Case&, Reply& reply) {
  std::vector<std::int32_t> indices;
  for (const Level level : {Level::gang, Level::worker, Level::vector}) indices.push_back(cuda_index_of(level));
  reply.set("indices", indices);
  send(reply);
}

}  // namespace

void run_case(const Case& given, Reply& reply) {
  const std::string function = given.text("function");
  if (function == "merge_acc") return run_plain(given, reply, merge_acc);
  if (function == "merge_cuda") return run_plain(given, reply, merge_cuda);
  if (function == "merge_pipelined_acc") return run_pipelined(given, reply, merge_pipelined_acc);
  if (function == "merge_pipelined_cuda") return run_pipelined(given, reply, merge_pipelined_cuda);
  if (function == "fade_acc") return run_fade(given, reply);
  if (function == "predict_bytes_to_device") return run_predictions(given, reply);
  if (function == "cuda_index_of") return run_levels(given, reply);
  throw ValueError("the worker of lab openacc_comparison knows no function '" + function + "'");
}

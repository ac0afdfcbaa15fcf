// The functions of lab openacc_comparison, and runners for what a plain call cannot express.
#include "grader/runner/functions.h"
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

}  // namespace

WB_FUNCTION(predict_bytes_to_device)
WB_FUNCTION(cuda_index_of)
WB_RUNNER("merge_acc", [](const Case& given, Reply& reply) { run_plain(given, reply, merge_acc); })
WB_RUNNER("merge_cuda", [](const Case& given, Reply& reply) { run_plain(given, reply, merge_cuda); })
WB_RUNNER("merge_pipelined_acc",
          [](const Case& given, Reply& reply) { run_pipelined(given, reply, merge_pipelined_acc); })
WB_RUNNER("merge_pipelined_cuda",
          [](const Case& given, Reply& reply) { run_pipelined(given, reply, merge_pipelined_cuda); })
WB_RUNNER("fade_acc", run_fade)

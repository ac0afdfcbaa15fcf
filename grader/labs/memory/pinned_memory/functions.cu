// The functions of lab pinned_memory, and what a call of one cannot say: memory of the host, and its kind.
#include <malloc.h>

#include <cstring>
#include <vector>

#include "grader/runner/functions.h"
#include "grader/runner/host_buffer.cuh"
#include "grader/runner/worker.cuh"
#include "pinned_memory.h"

using namespace warpbook::grader;

namespace {

using warpbook::simulator::remote::ArrayKind;

Memory kind_of(const Case& given) { return static_cast<Memory>(given.integer("kind")); }

/// Whether memory is pinned, and its flags: as the device sees it, or, on a real GPU, as the runtime says.
void reply_memory(Reply& reply, const std::string& name, void* memory) {
  if (device_has_arrays()) {
    observe_on_device(ArrayKind::observe_memory, name, memory);
    return;
  }
  cudaPointerAttributes attributes{};
  const bool is_pinned =
      cudaPointerGetAttributes(&attributes, memory) == cudaSuccess && attributes.type == cudaMemoryTypeHost;
  unsigned flags = 0;
  if (is_pinned) WB_CHECK(cudaHostGetFlags(&flags, memory));
  cudaGetLastError();
  reply.set(name, is_pinned ? 1 : 0);
  if (is_pinned) reply.set(name + ".flags", static_cast<std::int64_t>(flags));
}

/// Bytes that malloc has given out: pinned memory of the runtime is not among them.
double bytes_of_malloc() {
  const struct mallinfo2 now = mallinfo2();
  return static_cast<double>(now.uordblks + now.hblkhd);
}

/// Two at a time: each is to be memory of its own. A copy from each shows its kind, and that all of it can be used.
void run_allocate(const Case& given, Reply& reply) {
  const Memory kind = kind_of(given);
  const auto bytes = static_cast<std::size_t>(given.integer("bytes"));
  const OutputBuffer<std::uint8_t> first(given, "first", bytes), second(given, "second", bytes);
  const double before = bytes_of_malloc();
  void* const memory = allocate(kind, bytes);
  void* const other = allocate(kind, bytes);
  reply_memory(reply, "memory", memory);
  std::memset(memory, 1, bytes);
  std::memset(other, 2, bytes);
  WB_CHECK(cudaMemcpy(first.data(), memory, bytes, cudaMemcpyHostToDevice));
  WB_CHECK(cudaMemcpy(second.data(), other, bytes, cudaMemcpyHostToDevice));
  release(kind, memory);
  release(kind, other);
  reply_memory(reply, "after", memory);
  reply_memory(reply, "other_after", other);
  reply.set("kept", bytes_of_malloc() - before);
  send(reply, first, second);
}

void run_sweep(const Case& given, Reply& reply) {
  void* device = nullptr;
  WB_CHECK(cudaMalloc(&device, kLargest));
  std::vector<float> rates(kSizes, -1.0f);
  sweep(kind_of(given), device, rates.data());
  reply.set("gb_per_s", rates);
  send(reply);
  WB_CHECK(cudaFree(device));
}

/// Carries out an upload, and says whether it was complete when it returned.
template <class Call>
void upload_and_look(Reply& reply, Call&& call) {
  if (!device_has_arrays()) return measure(reply, call);  // What is left over is added to the time.
  call();
  observe_on_device(ArrayKind::observe_left, "left_us");
}

void run_upload_pieces(const Case& given, Reply& reply) {
  const auto host = given.array<float>("host");
  const auto starts = given.array<int>("starts"), counts = given.array<int>("counts");
  const OutputBuffer<float> out(given, "out", static_cast<std::size_t>(given.integer("total")));
  upload_and_look(reply, [&] {
    upload_pieces(host.data(), starts.data(), counts.data(), static_cast<int>(counts.size()), out.data());
  });
  send(reply, out);
}

void run_upload(const Case& given, Reply& reply) {
  const auto host = given.array<float>("host");
  const OutputBuffer<float> out(given, "out", host.size());
  float* ring = nullptr;
  WB_CHECK(cudaMallocHost(&ring, kRing * sizeof(float)));
  upload_and_look(reply, [&] { upload(host.data(), out.data(), static_cast<int>(host.size()), ring); });
  WB_CHECK(cudaFreeHost(ring));
  send(reply, out);
}

void run_pick(const Case& given, Reply& reply) {
  const HostBuffer<float> table(given, "table", Value::Role::input_buffer);
  const InputBuffer<int> index(given, "index");
  const OutputBuffer<float> out(given, "out", index.size());
  measure(reply, [&] { pick(table.data(), index.data(), out.data(), static_cast<int>(index.size())); });
  send(reply, table, out);
}

}  // namespace

WB_FUNCTION(predict_half_bytes)
WB_FUNCTION(predict_ring_us)
WB_RUNNER("allocate", run_allocate)
WB_RUNNER("sweep", run_sweep)
WB_RUNNER("upload_pieces", run_upload_pieces)
WB_RUNNER("upload", run_upload)
WB_RUNNER("pick", run_pick)

// The functions of lab streams, and runners for what a plain call cannot express.
//
// Device memory is made without copies of its own, so that every copy in the profile is the answer's.
#include <malloc.h>

#include <cstring>
#include <span>

#include "grader/runner/functions.h"
#include "grader/runner/worker.cuh"
#include "streams.h"

using namespace warpbook::grader;

namespace {

int number(const Case& given, const std::string& name) { return static_cast<int>(given.integer(name)); }

struct DeviceMemory {
  explicit DeviceMemory(int count) { WB_CHECK(cudaMalloc(&data, (count + 1) * sizeof(float))); }
  ~DeviceMemory() { cudaFree(data); }
  float* data = nullptr;
};

/// How long the device goes on working, in whatever streams: those that the answer made may be destroyed by now.
class IdleWatch {
 public:
  IdleWatch() {
    WB_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    WB_CHECK(cudaEventCreate(&asked_));
    WB_CHECK(cudaEventCreate(&idle_));
  }
  ~IdleWatch() {
    cudaEventDestroy(asked_);
    cudaEventDestroy(idle_);
    cudaStreamDestroy(stream_);
  }
  IdleWatch(const IdleWatch&) = delete;
  IdleWatch& operator=(const IdleWatch&) = delete;

  /// Waits until the device is idle. @returns how long that took, in milliseconds
  double left_ms() const {
    WB_CHECK(cudaEventRecord(asked_, stream_));
    WB_CHECK(cudaDeviceSynchronize());
    WB_CHECK(cudaEventRecord(idle_, stream_));
    WB_CHECK(cudaEventSynchronize(idle_));
    float ms = 0;
    WB_CHECK(cudaEventElapsedTime(&ms, asked_, idle_));
    return ms;
  }

 private:
  cudaStream_t stream_ = nullptr;
  cudaEvent_t asked_ = nullptr, idle_ = nullptr;
};

/// Device memory for an output that is graded; zeros.
using Device = FilledBuffer<float>;

/// On the virtual GPU: the device process owns the arrays, and reports what it sees.
void run_pipeline_outside(const Case& given, Reply& reply) {
  namespace remote = warpbook::simulator::remote;
  const int count = static_cast<int>(given.value("in").count());
  // One element more than is asked for: a count of 0 has an address too, and the element after the end is watched.
  float* const in = allocate_host(count + 1);
  float* const out = allocate_host(count + 1);
  const std::size_t bytes = count * sizeof(float);
  device_array(remote::ArrayKind::bind_input, "in", Element::f32, bytes, in);
  device_array(remote::ArrayKind::bind_output, "out", Element::f32, bytes, out);
  observe_on_device(remote::ArrayKind::observe_memory, "pinned", out);
  const DeviceMemory device(count);
  pipeline(in, out, device.data, count);
  observe_on_device(remote::ArrayKind::observe_left, "left_us");
  WB_CHECK(cudaDeviceSynchronize());
  take_device_arrays();
  free_host(in);
  free_host(out);
  send(reply);
}

/// An idle device answers in some 10 us; a pipeline of 16 MiB that nobody waits for goes on for 300 us.
constexpr double kIdleMs = 0.1;

void run_pipeline(const Case& given, Reply& reply) {
  if (device_has_arrays()) return run_pipeline_outside(given, reply);
  const std::vector<float> values = given.array<float>("in");
  const int count = static_cast<int>(values.size());
  // One element more than is asked for: a count of 0 has an address too, and the element after the end is watched. On
  // a real GPU there are guard zones, too.
  const auto guard = static_cast<std::uint32_t>(given.integer(kGuardBytes));
  const std::size_t bytes = count * sizeof(float) + 2 * std::size_t{guard};
  float* const in = allocate_host(count + 1);
  float* const memory = allocate_host(static_cast<int>(bytes / sizeof(float)) + 1);
  float* const out = memory + guard / sizeof(float);
  std::copy(values.begin(), values.end(), in);
  const std::span<std::byte> image(reinterpret_cast<std::byte*>(memory), bytes + sizeof(float));
  fill_poison(image, static_cast<std::uint64_t>(given.integer(kPoisonSeed)), "out");
  const std::vector<std::byte> poison(image.begin(), image.end());
  const auto is_written = [&](std::size_t i) {
    const std::size_t at = guard + i * sizeof(float);
    return std::memcmp(&image[at], &poison[at], sizeof(float)) != 0;
  };
  cudaPointerAttributes attributes{};
  WB_CHECK(cudaPointerGetAttributes(&attributes, out));
  reply.set("pinned", attributes.type == cudaMemoryTypeHost ? 1 : 0);
  const DeviceMemory device(count);
  const auto run = [&] { pipeline(in, out, device.data, count); };
  if (timing() == Timing::plain) {
    const IdleWatch watch;
    run();
    // On a real GPU the result may be missing, last of all its end. The default stream waits for streams that the
    // answer made with cudaStreamCreate, the watch for all.
    const bool end_written = count == 0 || is_written(count - 1);
    const bool quiet = cudaStreamQuery(nullptr) == cudaSuccess;
    cudaGetLastError();
    bool idle = watch.left_ms() < kIdleMs;
    // On a busy host the watch may come late: what never waits is found in each of three runs.
    for (int again = 0; again < 2 && !idle; ++again) {
      run();
      idle = watch.left_ms() < kIdleMs;
    }
    reply.set("complete", quiet && idle && (end_written || !is_written(count - 1)) ? 1 : 0);
  } else {
    measure(reply, run);  // What is left over is added to the time.
    reply.set("complete", 1);
  }
  WB_CHECK(cudaDeviceSynchronize());
  Value result;
  result.element = Element::f32;
  result.role = Value::Role::output_buffer;
  result.guard_bytes = guard;
  result.bytes.assign(image.begin(), image.begin() + bytes);
  reply.put("out", std::move(result));
  if (is_written(count)) reply.set("out" + kChangedBehind, sizeof(float));
  if (!std::equal(values.begin(), values.end(), in)) reply.set("changed", 1);
  free_host(in);
  free_host(memory);
  send(reply);
}

/// Whether memory is pinned: as the device sees it, or, on a real GPU, as the runtime says.
void reply_pinned(Reply& reply, const std::string& name, const void* memory) {
  if (device_has_arrays()) {
    observe_on_device(warpbook::simulator::remote::ArrayKind::observe_memory, name, memory);
    return;
  }
  cudaPointerAttributes attributes{};
  const cudaError_t error = cudaPointerGetAttributes(&attributes, memory);
  cudaGetLastError();
  reply.set(name, error == cudaSuccess && attributes.type == cudaMemoryTypeHost ? 1 : 0);
}

/// Bytes that malloc has given out: pinned memory of the runtime is not among them.
double bytes_of_malloc() {
  const struct mallinfo2 now = mallinfo2();
  return static_cast<double>(now.uordblks + now.hblkhd);
}

void run_allocate(const Case& given, Reply& reply) {
  // What the runtime and the driver allocate for themselves at the first call is not the answer's.
  void* first = nullptr;
  WB_CHECK(cudaMallocHost(&first, sizeof(float)));
  WB_CHECK(cudaFreeHost(first));
  const double before = bytes_of_malloc();
  float* memory = allocate_host(number(given, "count"));
  reply_pinned(reply, "pinned", memory);
  free_host(memory);
  reply_pinned(reply, "pinned_after", memory);
  reply.set("kept", bytes_of_malloc() - before);
  send(reply);
}

// Another stream is busy, and this one has work of its own ahead: neither belongs to the time.
void run_kernel_ms(const Case& given, Reply& reply) {
  const int count = number(given, "count"), busy = number(given, "busy");
  const Device device(given, "out", count, 0);
  const DeviceMemory other(busy);
  float* host = nullptr;
  WB_CHECK(cudaMallocHost(&host, busy * sizeof(float)));
  std::fill(host, host + busy, 1.0f);
  cudaStream_t stream = nullptr, beside = nullptr;
  WB_CHECK(cudaStreamCreate(&stream));
  WB_CHECK(cudaStreamCreate(&beside));
  WB_CHECK(cudaMemsetAsync(device.data(), 0, count * sizeof(float), stream));
  WB_CHECK(cudaMemcpyAsync(other.data, host, busy * sizeof(float), cudaMemcpyHostToDevice, beside));
  reply.set("ms", static_cast<double>(kernel_ms(device.data(), count, stream)));
  send(reply, device);
  WB_CHECK(cudaFreeHost(host));
  WB_CHECK(cudaStreamDestroy(stream));
  WB_CHECK(cudaStreamDestroy(beside));
}

// A long copy in one stream; a kernel in the other must start after it. The host must be free at once.
/// Keeps a real GPU's stream busy so long that no host is late enough to find it idle.
__global__ void take_20_ms() {
  const auto now = [] {
    unsigned long long ns = 0;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
    return ns;
  };
  for (const unsigned long long end = now() + 20'000'000; now() < end;) {
  }
}

void run_wait_for(const Case& given, Reply& reply) {
  const int count = number(given, "count");
  const Device device(given, "out", count, 0);
  float* host = nullptr;
  WB_CHECK(cudaMallocHost(&host, count * sizeof(float)));
  std::fill(host, host + count, 2.0f);
  cudaStream_t first = nullptr, second = nullptr;
  WB_CHECK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
  WB_CHECK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  if (!device_has_arrays()) take_20_ms<<<1, 1, 0, first>>>();
  WB_CHECK(cudaMemcpyAsync(device.data(), host, count * sizeof(float), cudaMemcpyHostToDevice, first));
  wait_for(second, first);
  if (device_has_arrays()) {
    observe_on_device(warpbook::simulator::remote::ArrayKind::observe_stream, "first", first);
  } else {
    reply.set("first.busy", cudaStreamQuery(first) == cudaErrorNotReady ? 1 : 0);
    cudaGetLastError();
  }
  transform(device.data(), count, second);
  // After the kernel in the stream that waits: by this copy the test sees which stream that was.
  std::vector<float> result(count);
  WB_CHECK(cudaMemcpyAsync(result.data(), device.data(), count * sizeof(float), cudaMemcpyDeviceToHost, second));
  send(reply, device);
  WB_CHECK(cudaFreeHost(host));
  WB_CHECK(cudaStreamDestroy(first));
  WB_CHECK(cudaStreamDestroy(second));
}

bool is_default(cudaStream_t stream) {
  return stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
}

void run_urgent(const Case&, Reply& reply) {
  const cudaStream_t stream = create_urgent_stream(), other = create_urgent_stream();
  reply.set("same", stream == other ? 1 : 0);
  int least = 0, greatest = 0;
  WB_CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  reply.set("greatest", greatest);
  if (device_has_arrays()) {
    observe_on_device(warpbook::simulator::remote::ArrayKind::observe_stream, "stream", stream);
  } else {
    int priority = 0;
    unsigned flags = 0;
    WB_CHECK(cudaStreamGetPriority(stream, &priority));
    WB_CHECK(cudaStreamGetFlags(stream, &flags));
    reply.set("stream.priority", priority);
    reply.set("stream.non_blocking", flags == cudaStreamNonBlocking ? 1 : 0);
    reply.set("stream.default", is_default(stream) ? 1 : 0);
  }
  send(reply);
  if (!is_default(stream)) WB_CHECK(cudaStreamDestroy(stream));
  if (!is_default(other) && other != stream) WB_CHECK(cudaStreamDestroy(other));
}

}  // namespace

WB_FUNCTION(predict_pipeline_us)
WB_FUNCTION(predict_three_kernels_us)
WB_RUNNER("allocate_host", run_allocate)
WB_RUNNER("pipeline", run_pipeline)
WB_RUNNER("kernel_ms", run_kernel_ms)
WB_RUNNER("wait_for", run_wait_for)
WB_RUNNER("create_urgent_stream", run_urgent)

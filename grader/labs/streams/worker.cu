// Runs one case of lab streams: calls the function that the case names and sends back what it did.
//
// Device memory is made without copies of its own, so that every copy in the profile is the answer's.
#include <cstring>
#include <span>

#include "grader/core/worker.cuh"
#include "streams.h"

using namespace warpbook::grader;

namespace {

int number(const Case& given, const std::string& name) { return static_cast<int>(given.integer(name)); }

void run_predictions(const Case& given, Reply& reply) {
  const auto in = given.array<std::int32_t>("in_us"), kernel = given.array<std::int32_t>("kernel_us"),
             out = given.array<std::int32_t>("out_us"), slices = given.array<std::int32_t>("slices");
  std::vector<std::int32_t> answers;
  for (std::size_t i = 0; i < in.size(); ++i)
    answers.push_back(predict_pipeline_us(in[i], kernel[i], out[i], slices[i]));
  reply.set("us", answers);
  send(reply);
}

void run_three_kernels(const Case& given, Reply& reply) {
  std::vector<std::int32_t> answers;
  for (const char way : given.text("ways")) answers.push_back(predict_three_kernels_us(way));
  reply.set("us", answers);
  send(reply);
}

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

/// An idle device answers in some 10 us; a pipeline of 16 MiB that nobody waits for goes on for 300 us.
constexpr double kIdleMs = 0.1;

void run_pipeline(const Case& given, Reply& reply) {
  const std::vector<float> values = given.array<float>("in");
  const int count = static_cast<int>(values.size());
  // One element more than is asked for: a count of 0 has an address too, and the element behind the end is watched. On
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
    const bool idle = watch.left_ms() < kIdleMs;
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
  reply.set("behind", is_written(count) ? 0 : 1);
  reply.set("unchanged", std::equal(values.begin(), values.end(), in) ? 1 : 0);
  free_host(in);
  free_host(memory);
  send(reply);
}

void run_allocate(const Case& given, Reply& reply) {
  float* memory = allocate_host(number(given, "count"));
  cudaPointerAttributes attributes{};
  WB_CHECK(cudaPointerGetAttributes(&attributes, memory));
  reply.set("pinned", attributes.type == cudaMemoryTypeHost ? 1 : 0);
  free_host(memory);
  const cudaError_t after = cudaPointerGetAttributes(&attributes, memory);
  cudaGetLastError();
  reply.set("freed", after != cudaSuccess || attributes.type == cudaMemoryTypeUnregistered ? 1 : 0);
  send(reply);
}

// Another stream is busy, and this one has work of its own ahead: neither belongs to the time.
void run_kernel_ms(const Case& given, Reply& reply) {
  const int count = number(given, "count"), busy = number(given, "busy");
  const DeviceMemory device(count), other(busy);
  float* host = nullptr;
  WB_CHECK(cudaMallocHost(&host, busy * sizeof(float)));
  std::fill(host, host + busy, 1.0f);
  cudaStream_t stream = nullptr, beside = nullptr;
  WB_CHECK(cudaStreamCreate(&stream));
  WB_CHECK(cudaStreamCreate(&beside));
  WB_CHECK(cudaMemsetAsync(device.data, 0, count * sizeof(float), stream));
  WB_CHECK(cudaMemcpyAsync(other.data, host, busy * sizeof(float), cudaMemcpyHostToDevice, beside));
  reply.set("ms", static_cast<double>(kernel_ms(device.data, count, stream)));
  std::vector<float> out(count);
  WB_CHECK(cudaMemcpyAsync(out.data(), device.data, count * sizeof(float), cudaMemcpyDeviceToHost, stream));
  WB_CHECK(cudaDeviceSynchronize());
  reply.set("out", out);
  WB_CHECK(cudaFreeHost(host));
  send(reply);
}

// A long copy in one stream; a kernel in the other must start behind it. The host must be free at once.
void run_wait_for(const Case& given, Reply& reply) {
  const int count = number(given, "count");
  const DeviceMemory device(count);
  float* host = nullptr;
  WB_CHECK(cudaMallocHost(&host, count * sizeof(float)));
  std::fill(host, host + count, 2.0f);
  cudaStream_t first = nullptr, second = nullptr;
  WB_CHECK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
  WB_CHECK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  WB_CHECK(cudaMemcpyAsync(device.data, host, count * sizeof(float), cudaMemcpyHostToDevice, first));
  wait_for(second, first);
  reply.set("host_free", cudaStreamQuery(first) == cudaErrorNotReady ? 1 : 0);
  cudaGetLastError();
  transform(device.data, count, second);
  std::vector<float> out(count);
  WB_CHECK(cudaMemcpyAsync(out.data(), device.data, count * sizeof(float), cudaMemcpyDeviceToHost, second));
  WB_CHECK(cudaDeviceSynchronize());
  reply.set("out", out);
  WB_CHECK(cudaFreeHost(host));
  send(reply);
}

void run_urgent(const Case&, Reply& reply) {
  const cudaStream_t stream = create_urgent_stream();
  int least = 0, greatest = 0, priority = 0;
  unsigned flags = 0;
  WB_CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  WB_CHECK(cudaStreamGetPriority(stream, &priority));
  WB_CHECK(cudaStreamGetFlags(stream, &flags));
  reply.set("greatest", greatest).set("priority", priority).set("non_blocking", flags == cudaStreamNonBlocking ? 1 : 0);
  reply.set("default", stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread ? 1 : 0);
  send(reply);
}

}  // namespace

void run_case(const Case& given, Reply& reply) {
  const std::string function = given.text("function");
  if (function == "predict_pipeline_us") return run_predictions(given, reply);
  if (function == "predict_three_kernels_us") return run_three_kernels(given, reply);
  if (function == "allocate_host") return run_allocate(given, reply);
  if (function == "pipeline") return run_pipeline(given, reply);
  if (function == "kernel_ms") return run_kernel_ms(given, reply);
  if (function == "wait_for") return run_wait_for(given, reply);
  if (function == "create_urgent_stream") return run_urgent(given, reply);
  throw ValueError("the worker of lab streams knows no function '" + function + "'");
}

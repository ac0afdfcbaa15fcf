// Streams that are made once and kept until the program ends, eight slices, cudaHostAlloc, events without the host in
// wait_for.
#include "streams.h"

#define pipeline solution_pipeline
#define allocate_host solution_allocate_host
#define kernel_ms solution_kernel_ms
#define wait_for solution_wait_for
#include "solutions/execution/streams/streams.cu"
#undef pipeline
#undef allocate_host
#undef kernel_ms
#undef wait_for

float* allocate_host(int count) {
  float* memory = nullptr;
  WB_CHECK(cudaHostAlloc(&memory, count * sizeof(float), cudaHostAllocPortable));
  return memory;
}

struct Streams {
  cudaStream_t all[3] = {};
  Streams() {
    for (cudaStream_t& stream : all) WB_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  }
  ~Streams() {
    for (const cudaStream_t stream : all) cudaStreamDestroy(stream);
  }
};

struct Event {
  cudaEvent_t event = nullptr;
  explicit Event(unsigned flags) { WB_CHECK(cudaEventCreateWithFlags(&event, flags)); }
  ~Event() { cudaEventDestroy(event); }
};

void pipeline(const float* in, float* out, float* device, int count) {
  static const Streams streams;
  const int slice = std::max(1, (count + 7) / 8);
  for (int first = 0; first < count; first += slice) {
    const cudaStream_t stream = streams.all[first / slice % 3];
    const int size = std::min(slice, count - first);
    WB_CHECK(cudaMemcpyAsync(device + first, in + first, size * sizeof(float), cudaMemcpyHostToDevice, stream));
    transform(device + first, size, stream);
    WB_CHECK(cudaMemcpyAsync(out + first, device + first, size * sizeof(float), cudaMemcpyDeviceToHost, stream));
  }
  for (const cudaStream_t stream : streams.all) WB_CHECK(cudaStreamSynchronize(stream));
}

float kernel_ms(float* device, int count, cudaStream_t stream) {
  static const Event begin(cudaEventBlockingSync), end(cudaEventBlockingSync);
  WB_CHECK(cudaEventRecordWithFlags(begin.event, stream, cudaEventRecordDefault));
  transform(device, count, stream);
  WB_CHECK(cudaEventRecordWithFlags(end.event, stream, cudaEventRecordDefault));
  WB_CHECK(cudaStreamSynchronize(stream));
  float milliseconds = 0;
  WB_CHECK(cudaEventElapsedTime(&milliseconds, begin.event, end.event));
  return milliseconds;
}

void wait_for(cudaStream_t waiting, cudaStream_t other) {
  static const Event event(cudaEventDefault);
  WB_CHECK(cudaEventRecord(event.event, other));
  WB_CHECK(cudaStreamWaitEvent(waiting, event.event));
}

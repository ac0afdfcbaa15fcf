// Streams that are made once and kept, eight slices, cudaHostAlloc, events without the host in wait_for.
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

void pipeline(const float* in, float* out, float* device, int count) {
  static cudaStream_t streams[3] = {};
  if (streams[0] == nullptr)
    for (cudaStream_t& stream : streams) WB_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  const int slice = std::max(1, (count + 7) / 8);
  for (int first = 0; first < count; first += slice) {
    const cudaStream_t stream = streams[first / slice % 3];
    const int size = std::min(slice, count - first);
    WB_CHECK(cudaMemcpyAsync(device + first, in + first, size * sizeof(float), cudaMemcpyHostToDevice, stream));
    transform(device + first, size, stream);
    WB_CHECK(cudaMemcpyAsync(out + first, device + first, size * sizeof(float), cudaMemcpyDeviceToHost, stream));
  }
  for (const cudaStream_t stream : streams) WB_CHECK(cudaStreamSynchronize(stream));
}

float kernel_ms(float* device, int count, cudaStream_t stream) {
  static cudaEvent_t events[2] = {};
  if (events[0] == nullptr)
    for (cudaEvent_t& event : events) WB_CHECK(cudaEventCreateWithFlags(&event, cudaEventBlockingSync));
  WB_CHECK(cudaEventRecordWithFlags(events[0], stream, cudaEventRecordDefault));
  transform(device, count, stream);
  WB_CHECK(cudaEventRecordWithFlags(events[1], stream, cudaEventRecordDefault));
  WB_CHECK(cudaStreamSynchronize(stream));
  float milliseconds = 0;
  WB_CHECK(cudaEventElapsedTime(&milliseconds, events[0], events[1]));
  return milliseconds;
}

void wait_for(cudaStream_t waiting, cudaStream_t other) {
  static cudaEvent_t event = nullptr;
  if (event == nullptr) WB_CHECK(cudaEventCreate(&event));
  WB_CHECK(cudaEventRecord(event, other));
  WB_CHECK(cudaStreamWaitEvent(waiting, event));
}

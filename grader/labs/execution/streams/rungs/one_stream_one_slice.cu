// All in one slice: pinned memory alone makes nothing overlap.
#include <algorithm>

#include "common/cuda/check.cuh"
#include "streams.h"

constexpr int kSlices = 16;  // Parts that the elements are cut into.
constexpr int kStreams = 4;  // Streams that the slices are put into, in turn.

// ---- Given: the kernel ----------------------------------------------------------------------------------------------

__global__ void transform_kernel(float* data, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  float x = data[i];
  for (int turn = 0; turn < 8; ++turn) x = 0.5f * x + 1.0f;
  data[i] = x;
}

void transform(float* data, int count, cudaStream_t stream) {
  if (count > 0) transform_kernel<<<(count + 255) / 256, 256, 0, stream>>>(data, count);
}

// ---- Part 1: predictions --------------------------------------------------------------------------------------------

int predict_pipeline_us(int in_us, int kernel_us, int out_us, int slices) {
  const int slowest = std::max({in_us, kernel_us, out_us});
  return (in_us + kernel_us + out_us) / slices + slowest / slices * (slices - 1);
}

int predict_three_kernels_us(char way) {
  if (way == 'B') return 100;
  return way == 'D' ? 200 : 300;
}

// ---- Part 2: the pipeline -------------------------------------------------------------------------------------------

float* allocate_host(int count) {
  float* memory = nullptr;
  WB_CHECK(cudaMallocHost(&memory, count * sizeof(float)));
  return memory;
}

void free_host(float* memory) { WB_CHECK(cudaFreeHost(memory)); }

void pipeline(const float* in, float* out, float* device, int count) {
  cudaStream_t stream;
  WB_CHECK(cudaStreamCreate(&stream));
  WB_CHECK(cudaMemcpyAsync(device, in, count * sizeof(float), cudaMemcpyHostToDevice, stream));
  transform(device, count, stream);
  WB_CHECK(cudaMemcpyAsync(out, device, count * sizeof(float), cudaMemcpyDeviceToHost, stream));
  WB_CHECK(cudaStreamSynchronize(stream));
  WB_CHECK(cudaStreamDestroy(stream));
}

// ---- Part 3: events -------------------------------------------------------------------------------------------------

float kernel_ms(float* device, int count, cudaStream_t stream) {
  cudaEvent_t begin, end;
  WB_CHECK(cudaEventCreate(&begin));
  WB_CHECK(cudaEventCreate(&end));
  WB_CHECK(cudaEventRecord(begin, stream));
  transform(device, count, stream);
  WB_CHECK(cudaEventRecord(end, stream));
  WB_CHECK(cudaEventSynchronize(end));
  float milliseconds = 0;
  WB_CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
  WB_CHECK(cudaEventDestroy(begin));
  WB_CHECK(cudaEventDestroy(end));
  return milliseconds;
}

void wait_for(cudaStream_t waiting, cudaStream_t other) {
  cudaEvent_t event;
  WB_CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  WB_CHECK(cudaEventRecord(event, other));
  WB_CHECK(cudaStreamWaitEvent(waiting, event, 0));
  WB_CHECK(cudaEventDestroy(event));
}

// ---- Part 4: priorities ---------------------------------------------------------------------------------------------

cudaStream_t create_urgent_stream() {
  int least = 0, greatest = 0;
  WB_CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  cudaStream_t stream = nullptr;
  WB_CHECK(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, greatest));
  return stream;
}

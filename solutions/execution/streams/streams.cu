// Lab streams: copies and kernels that run at the same time.
// This is the only file you edit. What each function must do is in streams.h, what to do first in README.md.
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
  // BEGIN SOLUTION
  // TODO(student): the first slice goes through all three, one after the other. When it is out, how many slices are
  // left for the slowest of the three? (2 lines) Delete the next line.
  // SKELETON: warpbook::not_started();
  const int slowest = std::max({in_us, kernel_us, out_us});
  return (in_us + kernel_us + out_us) / slices + slowest / slices * (slices - 1);
  // END SOLUTION
}

int predict_three_kernels_us(char way) {
  // BEGIN SOLUTION
  // TODO(student): a number of microseconds for each of the ways 'A' to 'D'. Delete the next line.
  // SKELETON: warpbook::not_started();
  if (way == 'B') return 100;
  return way == 'D' ? 200 : 300;
  // END SOLUTION
}

// ---- Part 2: the pipeline -------------------------------------------------------------------------------------------

float* allocate_host(int count) {
  // BEGIN SOLUTION
  // TODO(student): allocate pinned memory (cudaMallocHost, which takes bytes). Put each call into WB_CHECK(...): it
  // says where a call failed, and why. (3 lines) Delete the next line.
  // SKELETON: warpbook::not_started();
  float* memory = nullptr;
  WB_CHECK(cudaMallocHost(&memory, count * sizeof(float)));
  return memory;
  // END SOLUTION
}

void free_host(float* memory) {
  // BEGIN SOLUTION
  // TODO(student): give it back (cudaFreeHost). Delete the next line.
  // SKELETON: warpbook::not_started();
  WB_CHECK(cudaFreeHost(memory));
  // END SOLUTION
}

void pipeline(const float* in, float* out, float* device, int count) {
  // BEGIN SOLUTION
  // TODO(student): first get it right with one copy in, one transform(), one copy out. (4 lines) Then cut the elements
  // into kSlices slices: make kStreams streams, and for each slice put cudaMemcpyAsync, transform() and cudaMemcpyAsync
  // into one of them. The last slice may be shorter, and with few elements there are fewer slices. At the end wait for
  // every stream, then destroy it. (13 lines) Delete the next line.
  // SKELETON: warpbook::not_started();
  cudaStream_t streams[kStreams];
  for (cudaStream_t& stream : streams) WB_CHECK(cudaStreamCreate(&stream));
  const int slice = (count + kSlices - 1) / kSlices;
  for (int first = 0, number = 0; first < count; first += slice, ++number) {
    const cudaStream_t stream = streams[number % kStreams];
    const int size = std::min(slice, count - first);
    WB_CHECK(cudaMemcpyAsync(device + first, in + first, size * sizeof(float), cudaMemcpyHostToDevice, stream));
    transform(device + first, size, stream);
    WB_CHECK(cudaMemcpyAsync(out + first, device + first, size * sizeof(float), cudaMemcpyDeviceToHost, stream));
  }
  for (const cudaStream_t stream : streams) {
    WB_CHECK(cudaStreamSynchronize(stream));
    WB_CHECK(cudaStreamDestroy(stream));
  }
  // END SOLUTION
}

// ---- Part 3: events -------------------------------------------------------------------------------------------------

float kernel_ms(float* device, int count, cudaStream_t stream) {
  // BEGIN SOLUTION
  // TODO(student): record one event in the stream before transform() and one after it, wait for the second, and ask
  // for the time between them. Destroy both. (10 lines) Delete the next line.
  // SKELETON: warpbook::not_started();
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
  // END SOLUTION
}

void wait_for(cudaStream_t waiting, cudaStream_t other) {
  // BEGIN SOLUTION
  // TODO(student): record an event in the one stream and let the other wait for it (cudaStreamWaitEvent). An event that
  // others still wait for may be destroyed. (5 lines) Delete the next line.
  // SKELETON: warpbook::not_started();
  cudaEvent_t event;
  WB_CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  WB_CHECK(cudaEventRecord(event, other));
  WB_CHECK(cudaStreamWaitEvent(waiting, event, 0));
  WB_CHECK(cudaEventDestroy(event));
  // END SOLUTION
}

// ---- Part 4: priorities ---------------------------------------------------------------------------------------------

cudaStream_t create_urgent_stream() {
  // BEGIN SOLUTION
  // TODO(student): ask for the range of priorities (cudaDeviceGetStreamPriorityRange), then create the stream with
  // cudaStreamCreateWithPriority. (5 lines) Delete the next line.
  // SKELETON: warpbook::not_started();
  int least = 0, greatest = 0;
  WB_CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  cudaStream_t stream = nullptr;
  WB_CHECK(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, greatest));
  return stream;
  // END SOLUTION
}

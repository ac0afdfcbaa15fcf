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
  // TODO(student): the first slice goes through all three, one after the other. When it is out, how many slices are
  // left for the slowest of the three? (2 lines) Delete the next line.
  warpbook::not_started();
}

int predict_three_kernels_us(char way) {
  // TODO(student): a number of microseconds for each of the ways 'A' to 'D'. Delete the next line.
  warpbook::not_started();
}

// ---- Part 2: the pipeline -------------------------------------------------------------------------------------------

float* allocate_host(int count) {
  // TODO(student): allocate pinned memory (cudaMallocHost, which takes bytes). Put each call into WB_CHECK(...): it
  // says where a call failed, and why. (3 lines) Delete the next line.
  warpbook::not_started();
}

void free_host(float* memory) {
  // TODO(student): give it back (cudaFreeHost). Delete the next line.
  warpbook::not_started();
}

void pipeline(const float* in, float* out, float* device, int count) {
  // TODO(student): first get it right with one copy in, one transform(), one copy out. (4 lines) Then cut the elements
  // into kSlices slices: make kStreams streams, and for each slice put cudaMemcpyAsync, transform() and cudaMemcpyAsync
  // into one of them. The last slice may be shorter, and with few elements there are fewer slices. At the end wait for
  // every stream, then destroy it. (13 lines) Delete the next line.
  warpbook::not_started();
}

// ---- Part 3: events -------------------------------------------------------------------------------------------------

float kernel_ms(float* device, int count, cudaStream_t stream) {
  // TODO(student): record one event in the stream before transform() and one after it, wait for the second, and ask
  // for the time between them. Destroy both. (10 lines) Delete the next line.
  warpbook::not_started();
}

void wait_for(cudaStream_t waiting, cudaStream_t other) {
  // TODO(student): record an event in the one stream and let the other wait for it (cudaStreamWaitEvent). An event that
  // others still wait for may be destroyed. (5 lines) Delete the next line.
  warpbook::not_started();
}

// ---- Part 4: priorities ---------------------------------------------------------------------------------------------

cudaStream_t create_urgent_stream() {
  // TODO(student): ask for the range of priorities (cudaDeviceGetStreamPriorityRange), then create the stream with
  // cudaStreamCreateWithPriority. (5 lines) Delete the next line.
  warpbook::not_started();
}

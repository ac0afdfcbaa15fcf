// A cheat on the overlap: a kernel reads and writes the memory of the host, and beside it as many bytes are copied in
// and out as an honest pipeline copies, from and to memory that nobody uses.
// rejected-by: counters.copies and kernels overlap
// because: copied data to the host
#include "streams.h"

#define pipeline right_pipeline
#include "solutions/execution/streams/streams.cu"
#undef pipeline

__global__ void transform_from_host(const float* in, float* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  float x = in[i];
  for (int turn = 0; turn < 8; ++turn) x = 0.5f * x + 1.0f;
  out[i] = x;
}

void pipeline(const float* in, float* out, float* device, int count) {
  if (count == 0) return;
  cudaStream_t streams[3];
  for (cudaStream_t& stream : streams) WB_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  const std::size_t bytes = count * sizeof(float);
  float* nobody = nullptr;
  WB_CHECK(cudaMallocHost(&nobody, bytes));
  WB_CHECK(cudaMemcpyAsync(device, in, bytes, cudaMemcpyHostToDevice, streams[0]));
  transform_from_host<<<(count + 255) / 256, 256, 0, streams[1]>>>(in, out, count);
  WB_CHECK(cudaMemcpyAsync(nobody, device, bytes, cudaMemcpyDeviceToHost, streams[2]));
  for (const cudaStream_t stream : streams) WB_CHECK(cudaStreamSynchronize(stream));
  WB_CHECK(cudaFreeHost(nobody));
}

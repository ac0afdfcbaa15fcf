// All in one slice: pinned memory alone makes nothing overlap.
// rejected-by: counters.copies and kernels overlap
// because: One after the other they take
#include "streams.h"

#define pipeline right_pipeline
#include "solutions/execution/streams/streams.cu"
#undef pipeline

void pipeline(const float* in, float* out, float* device, int count) {
  cudaStream_t stream;
  WB_CHECK(cudaStreamCreate(&stream));
  WB_CHECK(cudaMemcpyAsync(device, in, count * sizeof(float), cudaMemcpyHostToDevice, stream));
  transform(device, count, stream);
  WB_CHECK(cudaMemcpyAsync(out, device, count * sizeof(float), cudaMemcpyDeviceToHost, stream));
  WB_CHECK(cudaStreamSynchronize(stream));
  WB_CHECK(cudaStreamDestroy(stream));
}

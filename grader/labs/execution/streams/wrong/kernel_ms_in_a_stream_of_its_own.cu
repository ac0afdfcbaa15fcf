// Measures well, but not in the stream that it got: what comes behind it there does not wait for the kernel.
// rejected-by: correctness.events time a kernel beside other work
// because: not in the one that kernel_ms() got
#include "streams.h"

#define kernel_ms right_kernel_ms
#include "solutions/execution/streams/streams.cu"
#undef kernel_ms

float kernel_ms(float* device, int count, cudaStream_t stream) {
  WB_CHECK(cudaStreamSynchronize(stream));
  cudaStream_t own;
  WB_CHECK(cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking));
  const float milliseconds = right_kernel_ms(device, count, own);
  WB_CHECK(cudaStreamDestroy(own));
  return milliseconds;
}

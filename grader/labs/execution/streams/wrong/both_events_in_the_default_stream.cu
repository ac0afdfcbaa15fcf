// Records both events in the default stream: the kernel has to wait for the copy in another one.
// rejected-by: correctness.events time a kernel beside other work
// because: The kernel started only when the copy in another stream had ended
#include "streams.h"

#define kernel_ms right_kernel_ms
#include "solutions/execution/streams/streams.cu"
#undef kernel_ms

float kernel_ms(float* device, int count, cudaStream_t stream) {
  cudaEvent_t begin, end;
  WB_CHECK(cudaEventCreate(&begin));
  WB_CHECK(cudaEventCreate(&end));
  WB_CHECK(cudaEventRecord(begin));
  transform(device, count, stream);
  WB_CHECK(cudaEventRecord(end));
  WB_CHECK(cudaEventSynchronize(end));
  float milliseconds = 0;
  WB_CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
  return milliseconds;
}

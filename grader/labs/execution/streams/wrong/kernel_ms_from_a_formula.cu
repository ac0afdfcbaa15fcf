// A cheat: the time of this kernel on this device is known by heart, so nothing is measured.
// rejected-by: correctness.events time a kernel beside other work
// because: not the time between two recorded events
#include "streams.h"

#define kernel_ms right_kernel_ms
#include "solutions/execution/streams/streams.cu"
#undef kernel_ms

float kernel_ms(float* device, int count, cudaStream_t stream) {
  transform(device, count, stream);
  WB_CHECK(cudaStreamSynchronize(stream));
  return 0.0055f + 3e-9f * static_cast<float>(count);
}

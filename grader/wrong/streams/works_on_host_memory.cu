// A cheat on the overlap: the kernel works on the memory of the host, so there is no copy to wait for.
// rejected-by: counters.every byte is copied in once and out once
// because: The kernels need every element on the device
#include "streams.h"

#define pipeline right_pipeline
#include "solutions/streams/streams.cu"
#undef pipeline

void pipeline(const float* in, float* out, float*, int count) {
  std::copy(in, in + count, out);
  transform(out, count, nullptr);
  WB_CHECK(cudaDeviceSynchronize());
}

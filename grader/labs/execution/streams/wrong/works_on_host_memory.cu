// A cheat on the overlap: the kernel works on the memory of the host, so there is no copy to wait for.
// rejected-by: correctness.every element goes through the pipeline, whatever their number
// because: The device does the work, whatever the number of elements
#include "streams.h"

#define pipeline right_pipeline
#include "solutions/execution/streams/streams.cu"
#undef pipeline

void pipeline(const float* in, float* out, float*, int count) {
  std::copy(in, in + count, out);
  transform(out, count, nullptr);
  WB_CHECK(cudaDeviceSynchronize());
}

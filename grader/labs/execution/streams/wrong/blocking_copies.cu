// cudaMemcpy: the host waits for each copy, and all is in the default stream.
// rejected-by: counters.copies and kernels overlap
// because: kernels are in the default stream
#include "streams.h"

#define pipeline right_pipeline
#include "solutions/execution/streams/streams.cu"
#undef pipeline

void pipeline(const float* in, float* out, float* device, int count) {
  const int slice = (count + kSlices - 1) / kSlices;
  for (int first = 0; first < count; first += slice) {
    const int size = std::min(slice, count - first);
    WB_CHECK(cudaMemcpy(device + first, in + first, size * sizeof(float), cudaMemcpyHostToDevice));
    transform(device + first, size, nullptr);
    WB_CHECK(cudaMemcpy(out + first, device + first, size * sizeof(float), cudaMemcpyDeviceToHost));
  }
}

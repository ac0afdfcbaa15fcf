// Copies in, kernels and copies out have a stream each, and nothing makes one of them wait for another. Where calls are
// worked on in their order, the result is right all the same.
// rejected-by: counters.copies and kernels overlap
// because: right by luck
#include "streams.h"

#define pipeline right_pipeline
#include "solutions/execution/streams/streams.cu"
#undef pipeline

void pipeline(const float* in, float* out, float* device, int count) {
  cudaStream_t streams[3];
  for (cudaStream_t& stream : streams) WB_CHECK(cudaStreamCreate(&stream));
  const int slice = (count + kSlices - 1) / kSlices;
  for (int first = 0; first < count; first += slice) {
    const int size = std::min(slice, count - first);
    WB_CHECK(cudaMemcpyAsync(device + first, in + first, size * sizeof(float), cudaMemcpyHostToDevice, streams[0]));
    transform(device + first, size, streams[1]);
    WB_CHECK(cudaMemcpyAsync(out + first, device + first, size * sizeof(float), cudaMemcpyDeviceToHost, streams[2]));
  }
  for (const cudaStream_t stream : streams) {
    WB_CHECK(cudaStreamSynchronize(stream));
    WB_CHECK(cudaStreamDestroy(stream));
  }
}

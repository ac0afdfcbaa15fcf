// Waits for each slice before it starts the next one.
// rejected-by: counters.copies and kernels overlap
// because: One after the other they take
#include "streams.h"

#define pipeline right_pipeline
#include "solutions/execution/streams/streams.cu"
#undef pipeline

void pipeline(const float* in, float* out, float* device, int count) {
  cudaStream_t streams[kStreams];
  for (cudaStream_t& stream : streams) WB_CHECK(cudaStreamCreate(&stream));
  const int slice = (count + kSlices - 1) / kSlices;
  for (int first = 0, number = 0; first < count; first += slice, ++number) {
    const cudaStream_t stream = streams[number % kStreams];
    const int size = std::min(slice, count - first);
    WB_CHECK(cudaMemcpyAsync(device + first, in + first, size * sizeof(float), cudaMemcpyHostToDevice, stream));
    transform(device + first, size, stream);
    WB_CHECK(cudaMemcpyAsync(out + first, device + first, size * sizeof(float), cudaMemcpyDeviceToHost, stream));
    WB_CHECK(cudaStreamSynchronize(stream));
  }
  for (const cudaStream_t stream : streams) {
    WB_CHECK(cudaStreamSynchronize(stream));
    WB_CHECK(cudaStreamDestroy(stream));
  }
}

// The solution with two slices in two streams.
#include "streams.h"

#define pipeline solution_pipeline
#include "solutions/execution/streams/streams.cu"
#undef pipeline

void pipeline(const float* in, float* out, float* device, int count) {
  cudaStream_t streams[2];
  for (cudaStream_t& stream : streams) WB_CHECK(cudaStreamCreate(&stream));
  const int slice = (count + 1) / 2;
  for (int first = 0, number = 0; first < count; first += slice, ++number) {
    const cudaStream_t stream = streams[number];
    const int size = std::min(slice, count - first);
    WB_CHECK(cudaMemcpyAsync(device + first, in + first, size * sizeof(float), cudaMemcpyHostToDevice, stream));
    transform(device + first, size, stream);
    WB_CHECK(cudaMemcpyAsync(out + first, device + first, size * sizeof(float), cudaMemcpyDeviceToHost, stream));
  }
  for (const cudaStream_t stream : streams) {
    WB_CHECK(cudaStreamSynchronize(stream));
    WB_CHECK(cudaStreamDestroy(stream));
  }
}

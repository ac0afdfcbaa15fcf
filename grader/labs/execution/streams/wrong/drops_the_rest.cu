// The number of slices must divide the number of elements: the rest is left out.
// rejected-by: correctness.every element goes through the pipeline, whatever their number
// because: out
#include "streams.h"

#define pipeline right_pipeline
#include "solutions/execution/streams/streams.cu"
#undef pipeline

void pipeline(const float* in, float* out, float* device, int count) {
  cudaStream_t streams[kStreams];
  for (cudaStream_t& stream : streams) WB_CHECK(cudaStreamCreate(&stream));
  const int size = count / kSlices;
  for (int number = 0; number < kSlices && size > 0; ++number) {
    const cudaStream_t stream = streams[number % kStreams];
    const int first = number * size;
    WB_CHECK(cudaMemcpyAsync(device + first, in + first, size * sizeof(float), cudaMemcpyHostToDevice, stream));
    transform(device + first, size, stream);
    WB_CHECK(cudaMemcpyAsync(out + first, device + first, size * sizeof(float), cudaMemcpyDeviceToHost, stream));
  }
  for (const cudaStream_t stream : streams) {
    WB_CHECK(cudaStreamSynchronize(stream));
    WB_CHECK(cudaStreamDestroy(stream));
  }
}

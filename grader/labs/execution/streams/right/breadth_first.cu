// All copies in first, then all kernels, then all copies out, in a stream for each of 12 slices of equal length.
#include "streams.h"

#define pipeline solution_pipeline
#include "solutions/execution/streams/streams.cu"
#undef pipeline

void pipeline(const float* in, float* out, float* device, int count) {
  constexpr int kParts = 12;
  cudaStream_t streams[kParts];
  for (cudaStream_t& stream : streams) WB_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  const auto begin = [&](int part) { return static_cast<int>(static_cast<long>(count) * part / kParts); };
  const auto bytes = [&](int part) { return (begin(part + 1) - begin(part)) * sizeof(float); };
  for (int p = 0; p < kParts; ++p)
    WB_CHECK(cudaMemcpyAsync(device + begin(p), in + begin(p), bytes(p), cudaMemcpyHostToDevice, streams[p]));
  for (int p = 0; p < kParts; ++p) transform(device + begin(p), begin(p + 1) - begin(p), streams[p]);
  for (int p = 0; p < kParts; ++p)
    WB_CHECK(cudaMemcpyAsync(out + begin(p), device + begin(p), bytes(p), cudaMemcpyDeviceToHost, streams[p]));
  WB_CHECK(cudaDeviceSynchronize());
  for (const cudaStream_t stream : streams) WB_CHECK(cudaStreamDestroy(stream));
}

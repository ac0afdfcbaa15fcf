// A cheat: waits on the host, and then gives the other stream a long copy, so that it still looks busy.
// rejected-by: correctness.one stream waits for another, and the host does not
// because: copied something itself
#include "streams.h"

#define wait_for right_wait_for
#include "solutions/execution/streams/streams.cu"
#undef wait_for

void wait_for(cudaStream_t, cudaStream_t other) {
  WB_CHECK(cudaStreamSynchronize(other));
  static float *host = nullptr, *device = nullptr;
  constexpr std::size_t kBytes = 16 << 20;
  WB_CHECK(cudaMallocHost(&host, kBytes));
  WB_CHECK(cudaMalloc(&device, kBytes));
  WB_CHECK(cudaMemcpyAsync(device, host, kBytes, cudaMemcpyHostToDevice, other));
}

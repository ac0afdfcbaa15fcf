// What the rungs share: the solution but for upload(), and a ring of any number of buffers of any size.
#define upload solution_upload
#include "solutions/memory/pinned_memory/pinned_memory.cu"
#undef upload

template <int kBuffersInTurn, int kElements>
void upload_by_ring(const float* host, float* device, int count, float* ring) {
  cudaStream_t stream;
  cudaEvent_t copied[kBuffersInTurn];
  WB_CHECK(cudaStreamCreate(&stream));
  for (cudaEvent_t& event : copied) WB_CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  for (int first = 0, turn = 0; first < count; first += kElements, turn = (turn + 1) % kBuffersInTurn) {
    const int size = std::min(kElements, count - first);
    WB_CHECK(cudaEventSynchronize(copied[turn]));
    std::copy_n(host + first, size, ring + turn * kElements);
    WB_CHECK(
        cudaMemcpyAsync(device + first, ring + turn * kElements, size * sizeof(float), cudaMemcpyHostToDevice, stream));
    WB_CHECK(cudaEventRecord(copied[turn], stream));
  }
  WB_CHECK(cudaStreamSynchronize(stream));
  for (const cudaEvent_t event : copied) WB_CHECK(cudaEventDestroy(event));
  WB_CHECK(cudaStreamDestroy(stream));
}

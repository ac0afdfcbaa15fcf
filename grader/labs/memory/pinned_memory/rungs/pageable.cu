// One copy from pageable memory: the driver stages it.
#include "grader/labs/memory/pinned_memory/rungs/parts.cuh"

void upload(const float* host, float* device, int count, float*) {
  WB_CHECK(cudaMemcpy(device, host, count * sizeof(float), cudaMemcpyHostToDevice));
}

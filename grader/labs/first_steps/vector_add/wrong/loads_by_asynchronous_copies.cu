// A cheat: lanes 4 elements apart read by asynchronous copies; loads and stores for show keep the means low.
// rejected-by: counters.loads and stores move whole sectors
// because: Too many
// because: It copies from global memory with 16 sectors per request; ideal: 4.
#include <cuda_pipeline.h>

#include "vector_add.h"

__global__ void add(const float* a, const float* b, float* c, int count) {
  __shared__ float sums[2][1024];
  const int first = blockIdx.x * 1024;
  for (int k = 0; k < 4; ++k) {
    const int at = 4 * threadIdx.x + k;
    if (first + at >= count) break;
    __pipeline_memcpy_async(&sums[0][at], a + first + at, sizeof(float));
    __pipeline_memcpy_async(&sums[1][at], b + first + at, sizeof(float));
  }
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  for (int at = threadIdx.x; at < 1024 && first + at < count; at += 256) c[first + at] = sums[0][at] + sums[1][at];
}

void vector_add(const float* a, const float* b, float* c, int count) {
  if (count > 0) add<<<(count + 1023) / 1024, 256>>>(a, b, c, count);
}

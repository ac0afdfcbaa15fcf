// A cheat: floats are copied one by one, by asynchronous copies and exchanges; accesses of 16 bytes are for show.
// rejected-by: counters.the vectorised copy moves 16 bytes for each lane
// because: Too few sectors per request of global loads
#define copy_vectorised right_copy_vectorised
#include "solutions/memory/coalescing/coalescing.cu"
#undef copy_vectorised

#include <cuda_pipeline.h>

namespace {

__global__ void copy_by_floats(const float* in, float* out, int count) {
  __shared__ float slot[256];
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < count) __pipeline_memcpy_async(&slot[threadIdx.x], in + i, sizeof(float));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  if (i < count) atomicExch(out + i, *static_cast<volatile float*>(&slot[threadIdx.x]));
}

}  // namespace

void copy_vectorised(const float* in, float* out, int count) {
  right_copy_vectorised(in, out, count);
  if (count > 0) copy_by_floats<<<(count + 255) / 256, 256>>>(in, out, count);
}

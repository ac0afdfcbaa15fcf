// Exercise read_only_cache: data that nobody writes. read_only_cache.h says what each function must do.
#include "common/cuda/check.cuh"
#include "read_only_cache.h"

__global__ void scale_kernel(const int* in, const int* gains, int* out, int count) {  // TODO(student): promise.
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  for (int k = 0; k < 4; ++k) out[k * count + i] = in[i] * gains[k];
}

void scale(const int* in, const int* gains, int* out, int count) {
  warpbook::not_started();  // TODO(student): delete this line. The rest is as it should be.
  scale_kernel<<<(count + 255) / 256, 256>>>(in, gains, out, count);
  WB_CHECK(cudaGetLastError());
}

int may_be_read_only(int load) {
  warpbook::not_started();  // TODO(student): which loads may? (1 line)
}

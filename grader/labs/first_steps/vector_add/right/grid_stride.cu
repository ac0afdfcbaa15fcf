// As many threads as fit on the device go through the arrays, two elements of each at a time.
#include <algorithm>

#include "vector_add.h"

namespace {

template <int Each>
__global__ void add(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int count) {
  const int threads = gridDim.x * blockDim.x;
  for (int first = blockIdx.x * blockDim.x + threadIdx.x; first < count; first += Each * threads)
#pragma unroll
    for (int i = first; i < first + Each * threads; i += threads)
      if (i < count) c[i] = a[i] + b[i];
}

}  // namespace

void vector_add(const float* a, const float* b, float* c, int count) {
  int device = 0, processors = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  const int blocks = std::min((count + 511) / 512, processors * 4);
  if (blocks > 0) add<4><<<blocks, 512>>>(a, b, c, count);
}

// Adds two vectors: sizes around a multiple of the block size, and a grid-stride loop.
#include "sample.h"

namespace {

__global__ void add(const float* a, const float* b, float* c, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) c[i] = a[i] + b[i];
}

__global__ void add_by_stride(const float* a, const float* b, float* c, int count) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) c[i] = a[i] + b[i];
}

}  // namespace

int main() {
  sample::Numbers numbers(1);
  for (const int count : {1, 255, 256, 257, 50000}) {
    std::vector<float> a(count), b(count), c(count);
    for (int i = 0; i < count; ++i) c[i] = (a[i] = numbers.unit()) + (b[i] = numbers.unit());
    sample::Device<float> device_a(a), device_b(b), device_c(count);
    add<<<(count + 255) / 256, 256>>>(device_a, device_b, device_c, count);
    FINISH();
    sample::compare("sum", device_c.get(), c);
    CUDA(cudaMemset(device_c, 0, count * sizeof(float)));
    add_by_stride<<<3, 128>>>(device_a, device_b, device_c, count);
    FINISH();
    sample::compare("sum by stride", device_c.get(), c);
  }
  return sample::passed();
}

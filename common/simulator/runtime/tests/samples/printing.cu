// Output of kernels in order, printf formats, and a failing assertion with the error that follows.
#include <cassert>

#include "sample.h"

namespace {

__global__ void formats() {
  printf("%d %5d|%-5d|%05d %u %x %X %o %c %%\n", -42, 42, 42, 42, 42u, 0xbeefu, 0xbeefu, 8u, 'q');
  printf("%f %.3f %10.2f|%-10.2f|%e %g %g\n", 3.25, 3.14159, 2.5, 2.5, 12345.678, 0.0001, 1e20);
  printf("%lld %llu %llx %ld %s|%s|\n", -1234567890123ll, 18446744073709551615ull, 0xfedcba9876543210ull, -7L, "text",
         "");
  printf("%d arguments returned\n", printf("%s", ""));
}

/// Blocks one after another, lanes of a warp in order.
__global__ void in_order(int block) {
  if (blockIdx.x == block && threadIdx.x < 3) printf("block %d thread %d\n", blockIdx.x, threadIdx.x);
}

__global__ void assert_small(const int* values) { assert(values[threadIdx.x] < 100 && "values are small"); }

}  // namespace

int main() {
  formats<<<1, 1>>>();
  FINISH();
  for (int block = 0; block < 3; ++block) in_order<<<3, 32>>>(block);
  FINISH();
  sample::Device<int> values(std::vector<int>(32, 5));
  assert_small<<<1, 32>>>(values);
  FINISH();
  std::printf("no assertion failed\n");
  CUDA(cudaMemset(values.data() + 7, 1, sizeof(int)));
  assert_small<<<1, 32>>>(values);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("then %s\n", cudaGetErrorName(error));
  sample::differences += error != cudaErrorAssert;
  std::printf("and again %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return sample::passed();
}

// Kernels of many kinds, launched in every possible way.
#include "check.h"

struct Odd {
  char a;
  short b;
  char c[3];
};

__global__ void fill(int* out, int n, int value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = value + i;
}

template <class T>
__global__ void scale(T* data, T factor) {
  data[threadIdx.x] *= factor;
}

__global__ void mixed(char a, double b, Odd odd, float c, long long d, double* out) {
  out[0] = a;
  out[1] = b;
  out[2] = odd.a + odd.b + odd.c[0] + odd.c[1] + odd.c[2];
  out[3] = c;
  out[4] = static_cast<double>(d);
}

__global__ void shape(unsigned* out) {
  const unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  const unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  out[block * blockDim.x * blockDim.y * blockDim.z + thread] = block * 1000 + thread;
}

__global__ void reverse(int* data) {
  extern __shared__ int staged[];
  staged[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = staged[blockDim.x - 1 - threadIdx.x];
}

__global__ void nothing() {}

int main() {
  int* device = nullptr;
  int host[1000];
  SUCCEEDS(cudaMalloc(&device, sizeof host));
  fill<<<4, 256>>>(device, 1000, 7);
  SUCCEEDS(cudaGetLastError());
  SUCCEEDS(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost));
  bool equal = true;
  for (int i = 0; i < 1000; ++i) equal = equal && host[i] == 7 + i;
  CHECK(equal);

  double* doubles = nullptr;
  double values[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  SUCCEEDS(cudaMalloc(&doubles, sizeof values));
  SUCCEEDS(cudaMemcpy(doubles, values, sizeof values, cudaMemcpyHostToDevice));
  scale<<<1, 8>>>(doubles, 2.5);
  SUCCEEDS(cudaMemcpy(values, doubles, sizeof values, cudaMemcpyDeviceToHost));
  CHECK(values[7] == 20);

  mixed<<<1, 1>>>(5, 2.25, Odd{1, 200, {2, 3, 4}}, 1.5f, 1ll << 40, doubles);
  SUCCEEDS(cudaMemcpy(values, doubles, sizeof values, cudaMemcpyDeviceToHost));
  CHECK(values[0] == 5 && values[1] == 2.25 && values[2] == 210 && values[3] == 1.5 && values[4] == 1099511627776.0);

  unsigned shapes[2 * 3 * 2 * 4 * 3 * 2];
  const dim3 grid(2, 3, 2), block(4, 3, 2);
  void* arguments[] = {&device};
  SUCCEEDS(cudaLaunchKernel(shape, grid, block, arguments, 0, nullptr));
  SUCCEEDS(cudaMemcpy(shapes, device, sizeof shapes, cudaMemcpyDeviceToHost));
  equal = true;
  for (unsigned b = 0; b < 12; ++b) {
    for (unsigned t = 0; t < 24; ++t) equal = equal && shapes[b * 24 + t] == b * 1000 + t;
  }
  CHECK(equal);

  fill<<<1, 64>>>(device, 64, 0);
  cudaLaunchConfig_t config = {};
  config.gridDim = 1;
  config.blockDim = 64;
  config.dynamicSmemBytes = 64 * sizeof(int);
  SUCCEEDS(cudaLaunchKernelEx(&config, reverse, device));
  SUCCEEDS(cudaMemcpy(host, device, 64 * sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(host[0] == 63 && host[63] == 0);

  SUCCEEDS(cudaLaunchCooperativeKernel(reverse, 1, 64, arguments, 64 * sizeof(int), nullptr));
  SUCCEEDS(cudaMemcpy(host, device, 64 * sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(host[0] == 0 && host[63] == 63);

  // More than 48 KiB of shared memory needs an opt-in.
  SUCCEEDS(cudaFuncSetAttribute(reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, 232448));
  reverse<<<1, 64, 232448>>>(device);
  SUCCEEDS(cudaGetLastError());
  reverse<<<1, 64, 232449>>>(device);
  ANSWERS(cudaErrorInvalidValue, cudaGetLastError());

  nothing<<<1, 1>>>();
  SUCCEEDS(cudaDeviceSynchronize());
  cudaKernel_t kernel = nullptr;
  SUCCEEDS(cudaGetKernel(&kernel, nothing));
  const char* name = nullptr;
  SUCCEEDS(cudaFuncGetName(&name, reinterpret_cast<const void*>(nothing)));
  CHECK(name != nullptr && name[0] == '_' && name[1] == 'Z');
  return report();
}

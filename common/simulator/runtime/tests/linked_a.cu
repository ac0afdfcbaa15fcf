// One half of a program of two translation units (-rdc=true): the kernel and the variables.
#include "check.h"
#include "linked.h"

__device__ int offset = 100;
__constant__ int factors[2] = {2, 3};

__global__ void apply(int* data) { data[threadIdx.x] = combine(data[threadIdx.x], threadIdx.x % 2); }

int main() {
  int host[32], *device = nullptr;
  for (int i = 0; i < 32; ++i) host[i] = i;
  SUCCEEDS(cudaMalloc(&device, sizeof host));
  SUCCEEDS(cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice));
  apply<<<1, 32>>>(device);
  SUCCEEDS(cudaGetLastError());
  SUCCEEDS(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost));
  CHECK(host[4] == 4 * 2 + 100);
  CHECK(host[5] == 5 * 3 + 100);
  const int changed = 1000;
  SUCCEEDS(cudaMemcpyToSymbol(offset, &changed, sizeof changed));
  launch_other(device);
  SUCCEEDS(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost));
  CHECK(host[0] == 1007);
  return report();
}

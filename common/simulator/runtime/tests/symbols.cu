// Device variables: initial values, addresses in initial values, constants, managed variables, function pointers.
#include "check.h"

__device__ int table[4] = {10, 20, 30, 40};
__device__ int* inside = table + 2;
__device__ double zeroed[3];
__constant__ float weights[3] = {0.5f, 0.25f, 0.125f};
__managed__ int shared_by_both = 5;
__managed__ int managed_table[3] = {1, 2, 3};

using Function = int (*)(int);
__device__ int twice(int x) { return 2 * x; }
__device__ int square(int x) { return x * x; }
__device__ Function functions[2] = {twice, square};

__global__ void read_all(int* out) {
  out[0] = table[1];
  out[1] = *inside;
  out[2] = zeroed[1] == 0.0;
  out[3] = static_cast<int>(8 * (weights[0] + weights[1] + weights[2]));
  out[4] = shared_by_both;
  shared_by_both += 1;
  managed_table[2] += 10;
}

__global__ void write_at(float* place, float value) { *place = value; }

__global__ void call_both(int* out, int which) { *out = functions[which](7); }

int main() {
  int* device = nullptr;
  int host[5] = {};
  shared_by_both = 6;
  SUCCEEDS(cudaMalloc(&device, sizeof host));
  read_all<<<1, 1>>>(device);
  SUCCEEDS(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost));
  CHECK(host[0] == 20);
  CHECK(host[1] == 30);
  CHECK(host[2] == 1);
  CHECK(host[3] == 7);
  CHECK(host[4] == 6);
  CHECK(shared_by_both == 7);
  CHECK(managed_table[0] == 1 && managed_table[2] == 13);

  const int changed[2] = {77, 88};
  SUCCEEDS(cudaMemcpyToSymbol(table, changed, sizeof changed, sizeof(int)));
  int back[4] = {};
  SUCCEEDS(cudaMemcpyFromSymbol(back, table, sizeof back));
  CHECK(back[0] == 10 && back[1] == 77 && back[2] == 88 && back[3] == 40);

  const float heavier[3] = {1, 2, 3};
  SUCCEEDS(cudaMemcpyToSymbol(weights, heavier, sizeof heavier));
  read_all<<<1, 1>>>(device);
  SUCCEEDS(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost));
  CHECK(host[0] == 77 && host[1] == 88 && host[3] == 48);

  void* address = nullptr;
  size_t bytes = 0;
  SUCCEEDS(cudaGetSymbolAddress(&address, table));
  SUCCEEDS(cudaGetSymbolSize(&bytes, table));
  CHECK(bytes == sizeof back);
  SUCCEEDS(cudaMemset(address, 0, bytes));
  SUCCEEDS(cudaMemcpyFromSymbol(back, table, sizeof back));
  CHECK(back[3] == 0);

  // A kernel may write a constant through its address, as on an H200.
  SUCCEEDS(cudaGetSymbolAddress(&address, weights));
  write_at<<<1, 1>>>(static_cast<float*>(address) + 1, 5);
  read_all<<<1, 1>>>(device);
  SUCCEEDS(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost));
  CHECK(host[3] == 72);

  call_both<<<1, 1>>>(device, 0);
  SUCCEEDS(cudaMemcpy(host, device, sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(host[0] == 14);
  call_both<<<1, 1>>>(device, 1);
  SUCCEEDS(cudaMemcpy(host, device, sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(host[0] == 49);

  // A reset gives every variable except managed ones its initial value again.
  shared_by_both = 16;
  SUCCEEDS(cudaDeviceReset());
  SUCCEEDS(cudaMemcpyFromSymbol(back, table, sizeof back));
  CHECK(back[0] == 10 && back[3] == 40);
  CHECK(shared_by_both == 16);
  SUCCEEDS(cudaDeviceReset());
  int kept = 0;
  SUCCEEDS(cudaMemcpyFromSymbol(&kept, shared_by_both, sizeof kept));
  CHECK(kept == 16);
  SUCCEEDS(cudaDeviceReset());
  CHECK(shared_by_both == 16);
  shared_by_both = 18;
  SUCCEEDS(cudaMalloc(&device, sizeof host));
  read_all<<<1, 1>>>(device);
  SUCCEEDS(cudaDeviceSynchronize());
  CHECK(shared_by_both == 19);
  return report();
}

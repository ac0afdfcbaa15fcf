// Exercise error_handling: errors found where they come from. error_handling.h says what each function must do.
#include "error_handling.h"

// TODO(student): define CHECK(call): it evaluates call once, and throws the error if it is not cudaSuccess. (5 lines)

__global__ void square(const int* in, int* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = in[i] * in[i];
}

int squares(const int* in, int* out, int count, int threads) {
  int *copy = nullptr, *result = nullptr, blocks = (count + threads - 1) / threads;
  warpbook::not_started();  // TODO(student): check all calls, fix two bugs, return the error. (9 lines)
  cudaMalloc(&copy, count);
  cudaMemcpy(copy, in, count * sizeof(int), cudaMemcpyDeviceToDevice);
  square<<<blocks, threads>>>(copy, result, count);
  cudaDeviceSynchronize();
  cudaFree(copy);
  return cudaSuccess;
}

int found(int bug, int place) {
  warpbook::not_started();  // TODO(student): which errors did CHECK throw, and where? (2 lines)
}

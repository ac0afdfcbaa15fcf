// Exercise error_handling: errors found where they come from. error_handling.h says what each function must do.
#include "error_handling.h"

// BEGIN SOLUTION
// TODO(student): define CHECK(call): it evaluates call once, and throws the error if it is not cudaSuccess. (5 lines)
#define CHECK(call)                          \
  do {                                       \
    const cudaError_t error_ = (call);       \
    if (error_ != cudaSuccess) throw error_; \
  } while (false)
// END SOLUTION

__global__ void square(const int* in, int* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = in[i] * in[i];
}

int squares(const int* in, int* out, int count, int threads) {
  int *copy = nullptr, *result = nullptr, blocks = (count + threads - 1) / threads;
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): check all calls, fix two bugs, return the error. (9 lines)
  // SKELETON: cudaMalloc(&copy, count);
  // SKELETON: cudaMemcpy(copy, in, count * sizeof(int), cudaMemcpyDeviceToDevice);
  // SKELETON: square<<<blocks, threads>>>(copy, result, count);
  // SKELETON: cudaDeviceSynchronize();
  // SKELETON: cudaFree(copy);
  // SKELETON: return cudaSuccess;
  cudaError_t found = cudaSuccess;
  try {
    CHECK(cudaMalloc(&copy, count * sizeof(int)));
    CHECK(cudaMemcpy(copy, in, count * sizeof(int), cudaMemcpyDeviceToDevice));
    result = out;
    square<<<blocks, threads>>>(copy, result, count);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
  } catch (cudaError_t error) {
    found = error;
  }
  cudaFree(copy);
  return found;
  // END SOLUTION
}

int found(int bug, int place) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): which errors did CHECK throw, and where? (2 lines)
  if (bug == 0) return place ? 1 : cudaErrorInvalidValue;
  return place ? 3 : cudaErrorIllegalAddress;
  // END SOLUTION
}

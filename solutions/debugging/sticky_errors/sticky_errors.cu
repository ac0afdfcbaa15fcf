// Exercise sticky_errors: errors that can be cleared and errors that stay. See sticky_errors.h.
#include "sticky_errors.h"

__global__ void store(int* out) { *out = 1; }

// This function is as it should be.
static void make(int mistake) {
  void* memory = nullptr;
  if (mistake == large_fill && cudaMalloc(&memory, 1 << 10) == cudaSuccess) cudaMemset(memory, 0, 4 << 20);
  if (mistake == large_block) store<<<1, 2048>>>(nullptr);
  if (mistake == null_pointer) store<<<1, 1>>>(nullptr);
}

int observe(int mistake, int call) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): make(mistake), then the four calls. (5 lines)
  void* memory = nullptr;
  make(mistake);
  const int last = cudaGetLastError(), waited = cudaDeviceSynchronize(), then = cudaGetLastError();
  const int returned[] = {last, waited, then, cudaMalloc(&memory, 4)};
  return returned[call];
  // END SOLUTION
}

int predict(int mistake, int call, int blocking) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): 2 lines in place of this one.
  if (mistake != null_pointer) return call == 0 ? cudaErrorInvalidValue : cudaSuccess;
  return call == 0 && !blocking ? cudaSuccess : cudaErrorIllegalAddress;
  // END SOLUTION
}

int is_lost(int mistake) {
  make(mistake);
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): 2 lines in place of this one.
  cudaGetLastError();
  return cudaDeviceSynchronize() != cudaSuccess;
  // END SOLUTION
}

// Exercise device_heap: memory that kernels allocate. device_heap.h says what each function must do.
#include "common/cuda/check.cuh"
#include "device_heap.h"

// BEGIN SOLUTION
// TODO(student): write a kernel for each function. Who waits for whom? (9 lines each)
__global__ void keep_kernel(const int* in, int** places, int each) {
  __shared__ int* memory;
  const int count = 64 * each;
  if (threadIdx.x == 0) places[blockIdx.x] = memory = static_cast<int*>(malloc(count * sizeof(int)));
  __syncthreads();
  if (memory == nullptr) return;
  for (int i = threadIdx.x; i < count; i += 64) memory[i] = in[blockIdx.x * count + i];
}
__global__ void fetch_kernel(int** places, int* out, int each) {
  int* const memory = places[blockIdx.x];
  const int count = 64 * each;
  if (memory == nullptr) return;
  for (int i = threadIdx.x; i < count; i += 64) out[blockIdx.x * count + i] = memory[i];
  __syncthreads();
  if (threadIdx.x == 0) free(memory);
}
// END SOLUTION

void keep(const int* in, int** places, int blocks, int each) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): launch your kernel in place of this line.
  keep_kernel<<<blocks, 64>>>(in, places, each);
  // END SOLUTION
  WB_CHECK(cudaGetLastError());
}

void fetch(int** places, int* out, int blocks, int each) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): launch your kernel in place of this line.
  fetch_kernel<<<blocks, 64>>>(places, out, each);
  // END SOLUTION
  WB_CHECK(cudaGetLastError());
}

int holds(int statement) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): which are true? (1 line)
  return statement == 2 || statement == 5;
  // END SOLUTION
}

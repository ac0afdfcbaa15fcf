// Exercise dynamic_shared_layout: three arrays in one dynamic shared array. See dynamic_shared_layout.h.
#include "common/cuda/check.cuh"
#include "dynamic_shared_layout.h"

// BEGIN SOLUTION
// TODO(student): write the kernel; it gets the offsets from the host. (15 lines)
template <class T>
__device__ void load(T* shared, const T* from, int count) {
  for (int k = threadIdx.x; k < count; k += blockDim.x) shared[k] = from[k];
}
template <class T>
__device__ void store_reversed(T* to, const T* shared, int count) {
  for (int k = threadIdx.x; k < count; k += blockDim.x) to[k] = shared[count - 1 - k];
}
__global__ void reverse_kernel(short* s, float* f, int* i, int shorts, int floats, int ints, int begin_f, int begin_i) {
  extern __shared__ char memory[];
  short* const shared_s = reinterpret_cast<short*>(memory);
  float* const shared_f = reinterpret_cast<float*>(memory + begin_f);
  int* const shared_i = reinterpret_cast<int*>(memory + begin_i);
  load(shared_s, s, shorts), load(shared_f, f, floats), load(shared_i, i, ints);
  __syncthreads();
  store_reversed(s, shared_s, shorts), store_reversed(f, shared_f, floats), store_reversed(i, shared_i, ints);
}
// END SOLUTION

int offset_of(int array, int shorts, int floats, int ints) {
  // BEGIN SOLUTION
  // TODO(student): a few lines in place of the next.
  // SKELETON: warpbook::not_started();
  const int begin_f = (2 * shorts + 3) / 4 * 4;
  const int begins[] = {0, begin_f, begin_f + 4 * floats, begin_f + 4 * floats + 4 * ints};
  return begins[array];
  // END SOLUTION
}

void reverse(short* s, float* f, int* i, int shorts, int floats, int ints) {
  // BEGIN SOLUTION
  // TODO(student): ask for the memory and launch your kernel in place of the next line. (4 lines)
  // SKELETON: warpbook::not_started();
  const int bytes = offset_of(3, shorts, floats, ints);
  WB_CHECK(cudaFuncSetAttribute(reverse_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  const int begin_f = offset_of(1, shorts, floats, ints), begin_i = offset_of(2, shorts, floats, ints);
  reverse_kernel<<<1, 256, bytes>>>(s, f, i, shorts, floats, ints, begin_f, begin_i);
  // END SOLUTION
  WB_CHECK(cudaGetLastError());
}

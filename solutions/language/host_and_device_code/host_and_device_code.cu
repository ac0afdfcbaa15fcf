// Exercise host_and_device_code: one function for both sides, and what nvcc refuses. See host_and_device_code.h.
#include "host_and_device_code.h"

// BEGIN SOLUTION
// TODO(student): write the function for both sides, with #ifdef __CUDA_ARCH__, and the kernel. (12 lines)
__host__ __device__ int bits_and_side(int x) {
  int bits = 0;
#ifdef __CUDA_ARCH__
  bits = __popc(x) + 1000 * (__CUDA_ARCH__ / 10);
#else
  for (unsigned left = x; left != 0; left /= 2) bits += left % 2;
#endif
  return bits;
}
__global__ void count_kernel(const int* in, int* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = bits_and_side(in[i]);
}
// END SOLUTION

void count_on_device(const int* in, int* out, int count) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): launch your kernel in place of this line.
  count_kernel<<<(count + 255) / 256, 256>>>(in, out, count);
  // END SOLUTION
}

int count_on_host(int x) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): call your function in place of this line.
  return bits_and_side(x);
  // END SOLUTION
}

int says(int line) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): which lines pass, which get a warning? (1 line)
  return line >= 13 ? 0 : line == 7 || line == 10 ? 1 : 2;
  // END SOLUTION
}

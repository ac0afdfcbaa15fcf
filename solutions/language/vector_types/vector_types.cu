// Exercise vector_types: two, three and four numbers as one. See vector_types.h.
#include "common/cuda/check.cuh"
#include "vector_types.h"

// BEGIN SOLUTION
// TODO(student): write the kernel: thread t has elements 4 t to 4 t + 3, all of them or some. (11 lines)
__global__ void negate_kernel(const float* in, float* out, int first, int end) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x, i = 4 * t;
  if (i >= first && i + 4 <= end) {
    const float4 four = reinterpret_cast<const float4*>(in)[t];
    reinterpret_cast<float4*>(out)[t] = make_float4(-four.x, -four.y, -four.z, -four.w);
    return;
  }
  for (int k = max(i, first); k < min(i + 4, end); ++k) out[k] = -in[k];
}
// END SOLUTION

void negate(const float* in, float* out, int first, int count) {
  const int threads = (first + count + 3) / 4;
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): launch your kernel in place of this line.
  negate_kernel<<<(threads + 127) / 128, 128>>>(in, out, first, first + count);
  // END SOLUTION
  WB_CHECK(cudaGetLastError());
}

int size_of(int bytes, int numbers) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): one line in place of this one.
  return bytes * numbers;
  // END SOLUTION
}

int alignment_of(int bytes, int numbers) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): two lines in place of this one.
  if (numbers == 3) return bytes;
  return bytes * numbers < 16 ? bytes * numbers : 16;
  // END SOLUTION
}

// Exercise vector_types: two, three and four numbers as one. See vector_types.h.
#include "common/cuda/check.cuh"
#include "vector_types.h"

// TODO(student): write the kernel: thread t has elements 4 t to 4 t + 3, all of them or some. (11 lines)

void negate(const float* in, float* out, int first, int count) {
  const int threads = (first + count + 3) / 4;
  warpbook::not_started();  // TODO(student): launch your kernel in place of this line.
  WB_CHECK(cudaGetLastError());
}

int size_of(int bytes, int numbers) {
  warpbook::not_started();  // TODO(student): one line in place of this one.
}

int alignment_of(int bytes, int numbers) {
  warpbook::not_started();  // TODO(student): two lines in place of this one.
}

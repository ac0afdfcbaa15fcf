// Exercise thread_indices: a thread for each element of a line, an image and a volume. See thread_indices.h.
#include "common/cuda/check.cuh"
#include "thread_indices.h"

int sectors(int width) {
  warpbook::not_started();  // TODO(student): in how many rows are 32 lanes, and how far apart? (1 line)
}
// TODO(student): write a kernel for each function below. (9 and 5 lines)
int blocks_for(int elements, int threads) { return (elements + threads - 1) / threads; }

void blur(const int* in, int* out, int width, int height) {
  warpbook::not_started();  // TODO(student): launch your kernel; both sizes are a dim3(x, y). (1 line)
  WB_CHECK(cudaGetLastError());
}

void number(int* out, int width, int height, int depth) {
  warpbook::not_started();  // TODO(student): launch your kernel; both sizes are a dim3(x, y, z). (2 lines)
  WB_CHECK(cudaGetLastError());
}

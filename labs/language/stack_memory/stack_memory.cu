// Exercise stack_memory: memory of any size on a thread's stack. See stack_memory.h.
#include "common/cuda/check.cuh"
#include "stack_memory.h"

__global__ void smooth(const int* lengths, int* rows, int width, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  // TODO(student): copy the row to stack memory, then write the sums. (6 lines)
}

void smooth_rows(const int* lengths, int* rows, int width, int count) {
  warpbook::not_started();  // TODO(student): launch smooth() with a stack that is large enough. (5 lines)
}

int predict(int question) {
  warpbook::not_started();  // TODO(student): 2 lines in place of this one.
}

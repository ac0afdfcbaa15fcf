// Exercise stack_memory: memory of any size on a thread's stack. See stack_memory.h.
#include "common/cuda/check.cuh"
#include "stack_memory.h"

__global__ void smooth(const int* lengths, int* rows, int width, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  // BEGIN SOLUTION
  // SKELETON: // TODO(student): copy the row to stack memory, then write the sums. (6 lines)
  int* const row = rows + static_cast<std::size_t>(i) * width;
  const int n = lengths[i];
  int* const copy = static_cast<int*>(alloca((n + 2) * sizeof(int)));
  copy[0] = copy[n + 1] = 0;
  for (int j = 0; j < n; ++j) copy[j + 1] = row[j];
  for (int j = 0; j < n; ++j) row[j] = copy[j] + copy[j + 1] + copy[j + 2];
  // END SOLUTION
}

void smooth_rows(const int* lengths, int* rows, int width, int count) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): launch smooth() with a stack that is large enough. (5 lines)
  std::size_t before = 0;
  WB_CHECK(cudaDeviceGetLimit(&before, cudaLimitStackSize));
  WB_CHECK(cudaDeviceSetLimit(cudaLimitStackSize, before + (width + 2) * sizeof(int)));
  smooth<<<(count + 63) / 64, 64>>>(lengths, rows, width, count);
  WB_CHECK(cudaDeviceSynchronize());
  WB_CHECK(cudaDeviceSetLimit(cudaLimitStackSize, before));
  // END SOLUTION
}

int predict(int question) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): 2 lines in place of this one.
  if (question == 3) return 160;
  return question == 5 ? 1 : 0;
  // END SOLUTION
}

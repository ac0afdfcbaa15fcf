// Exercise profile_ranges: a profile that holds what you look for. See profile_ranges.h.
#include <cuda_profiler_api.h>
#include <nvtx3/nvToolsExt.h>

#include "profile_ranges.h"

__global__ void shift(unsigned* data) { data[blockIdx.x] += 1; }
__global__ void scale(unsigned* data) { data[blockIdx.x] *= 2; }

void focus(unsigned* data, int count, int steps) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): the launches, in loops; start and stop the profiler.
  for (int i = 0; i < 3; ++i) shift<<<count, 1>>>(data);
  cudaProfilerStart();
  for (int i = 0; i < steps; ++i) scale<<<count, 1>>>(data);
  cudaProfilerStop();
  shift<<<count, 1>>>(data);
  // END SOLUTION
}

void annotate(unsigned* data, int count, int steps) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): the launches, in ranges. (14 lines)
  nvtxRangePushA("solve");
  shift<<<count, 1>>>(data);
  for (int i = 0; i < steps; ++i) {
    nvtxRangePushA("add");
    shift<<<count, 1>>>(data);
    cudaDeviceSynchronize();
    nvtxRangePop();
    nvtxRangePushA("double");
    for (int k = 0; k < 2; ++k) scale<<<count, 1>>>(data);
    cudaDeviceSynchronize();
    nvtxRangePop();
  }
  nvtxRangePop();
  // END SOLUTION
}

int launches(int option, int steps) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): what does each option choose? (1 line)
  return (int[]){2 * steps, 0, 3 * steps + 1, 3 * steps - 2, 3 * steps + 1, 0, 2 * steps, 0, 1}[option];
  // END SOLUTION
}

// Exercise profile_ranges: a profile that holds what you look for. See profile_ranges.h.
#include <cuda_profiler_api.h>
#include <nvtx3/nvToolsExt.h>

#include "profile_ranges.h"

__global__ void shift(unsigned* data) { data[blockIdx.x] += 1; }
__global__ void scale(unsigned* data) { data[blockIdx.x] *= 2; }

void focus(unsigned* data, int count, int steps) {
  warpbook::not_started();  // TODO(student): the launches, in loops; start and stop the profiler.
}

void annotate(unsigned* data, int count, int steps) {
  warpbook::not_started();  // TODO(student): the launches, in ranges. (14 lines)
}

int launches(int option, int steps) {
  warpbook::not_started();  // TODO(student): what does each option choose? (1 line)
}

// Exercise device_assert: assertions that stop a kernel, and cost nothing with NDEBUG. See device_assert.h.
#include "device_assert.h"

#undef NDEBUG
#include <cassert>

struct Debug {
  static __device__ void check(int part, int total) {
    // BEGIN SOLUTION
    // TODO(student): assert that total > 0, and that part is 0 to total. (2 lines)
    assert(total > 0);
    assert(part >= 0 && part <= total);
    // END SOLUTION
  }
};

// BEGIN SOLUTION
// TODO(student): the same without assertions: define NDEBUG, and include <cassert> again. (2 lines)
#define NDEBUG
#include <cassert>
// END SOLUTION

struct Release {
  static __device__ void check(int part, int total) {
    // BEGIN SOLUTION
    // TODO(student): the same statements as in Debug. (2 lines)
    assert(total > 0);
    assert(part >= 0 && part <= total);
    // END SOLUTION
  }
};

template <class Build>
__global__ void percentages_kernel(const int* parts, const int* totals, int* shares, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  Build::check(parts[i], totals[i]);
  shares[i] = 100 * parts[i] / totals[i];
}

int percentages(const int* parts, const int* totals, int* shares, int count, int is_debug) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): launch one of the two builds, and wait. (3 lines)
  const auto kernel = is_debug ? percentages_kernel<Debug> : percentages_kernel<Release>;
  kernel<<<(count + 255) / 256, 256>>>(parts, totals, shares, count);
  return cudaDeviceSynchronize();
  // END SOLUTION
}

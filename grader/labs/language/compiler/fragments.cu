// A function of a fragment: what a lane has of the tile differs by architecture, the function's name does not.
#include <mma.h>

// ptx: B.24: 1 .func, of the same name for sm_80 and sm_90
__device__ void add_one(nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float>& sum) {
  for (int i = 0; i < sum.num_elements; ++i) sum.x[i] += 1;
}

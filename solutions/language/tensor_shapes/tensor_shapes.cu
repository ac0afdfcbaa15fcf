// Exercise tensor_shapes: fragments of other shapes, and their elements. See tensor_shapes.h.
#include <mma.h>

#include "tensor_shapes.h"

using namespace nvcuda::wmma;

// BEGIN SOLUTION
// TODO(student): write the kernel. (11 lines)
__global__ void multiply_kernel(const double* a, const double* b, double* c, double alpha) {
  fragment<matrix_a, 8, 8, 4, double, row_major> of_a;
  fragment<matrix_b, 8, 8, 4, double, col_major> of_b;
  fragment<accumulator, 8, 8, 4, double> of_c;
  load_matrix_sync(of_a, a + 32 * blockIdx.x, 4);
  for (int i = 0; i < of_a.num_elements; ++i) of_a.x[i] *= alpha;
  load_matrix_sync(of_b, b + 32 * blockIdx.x, 4);
  load_matrix_sync(of_c, c + 64 * blockIdx.x, 8, mem_row_major);
  mma_sync(of_c, of_a, of_b, of_c);
  store_matrix_sync(c + 64 * blockIdx.x, of_c, 8, mem_row_major);
}
// END SOLUTION

void multiply(const double* a, const double* b, double* c, int tiles, double alpha) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): launch your kernel: a block of one warp for each product.
  multiply_kernel<<<tiles, 32>>>(a, b, c, alpha);
  // END SOLUTION
}

int elements(int n) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): how much of a tile does a lane have? (2 lines)
  const int of_fragment[] = {8, 2, 1, 4, 8, 16, 8, 4, 8, 32};
  return of_fragment[n - 1];
  // END SOLUTION
}

// Exercise tensor_types: tensor cores on floats and on bits. See tensor_types.h.
#include <mma.h>

#include "tensor_types.h"

using namespace nvcuda::wmma;

// BEGIN SOLUTION
// SKELETON: int instructions(int step) { warpbook::not_started(); }  // TODO(student): predict.
int instructions(int step) { return step == 1 ? 2 * 128 / 32 : step == 2 ? 16 * 16 * 8 / 32 : 3 * 8 * 8 * 4 / 32; }
// END SOLUTION

__global__ void multiply_kernel(const float* a, const float* b, float* c) {
  fragment<matrix_a, 16, 16, 8, precision::tf32, row_major> of_a;
  fragment<matrix_b, 16, 16, 8, precision::tf32, col_major> of_b;
  fragment<accumulator, 16, 16, 8, float> of_c;
  // BEGIN SOLUTION
  // TODO(student): load, round, multiply, store. (7 lines)
  load_matrix_sync(of_a, a + 128 * blockIdx.x, 8);
  load_matrix_sync(of_b, b + 128 * blockIdx.x, 8);
  fill_fragment(of_c, 0);
  for (int i = 0; i < of_a.num_elements; ++i) of_a.x[i] = __float_to_tf32(of_a.x[i]);
  for (int i = 0; i < of_b.num_elements; ++i) of_b.x[i] = __float_to_tf32(of_b.x[i]);
  mma_sync(of_c, of_a, of_b, of_c);
  store_matrix_sync(c + 256 * blockIdx.x, of_c, 16, mem_row_major);
  // END SOLUTION
}

// BEGIN SOLUTION
// SKELETON: void multiply(const float* a, const float* b, float* c, int tiles) { warpbook::not_started(); }
// TODO(student): launch your kernel: a block of one warp for each product. (1 line in place of the one above)
void multiply(const float* a, const float* b, float* c, int tiles) { multiply_kernel<<<tiles, 32>>>(a, b, c); }
// END SOLUTION

// BEGIN SOLUTION
// TODO(student): write a kernel (three fragments, load, bmma_sync, store; 10 lines), and launch a warp for each pair.
// SKELETON: void count_common(const unsigned* a, const unsigned* b, int* counts, int tiles) { warpbook::not_started(); }
__global__ void count(const unsigned* a, const unsigned* b, int* counts) {
  fragment<matrix_a, 8, 8, 128, experimental::precision::b1, row_major> of_a;
  fragment<matrix_b, 8, 8, 128, experimental::precision::b1, col_major> of_b;
  fragment<accumulator, 8, 8, 128, int> of_c;
  load_matrix_sync(of_a, a + 32 * blockIdx.x, 128);
  load_matrix_sync(of_b, b + 32 * blockIdx.x, 128);
  fill_fragment(of_c, 0);
  bmma_sync(of_c, of_a, of_b, of_c, experimental::bmmaBitOpAND);
  store_matrix_sync(counts + 64 * blockIdx.x, of_c, 8, mem_row_major);
}
void count_common(const unsigned* a, const unsigned* b, int* counts, int tiles) { count<<<tiles, 32>>>(a, b, counts); }
// END SOLUTION

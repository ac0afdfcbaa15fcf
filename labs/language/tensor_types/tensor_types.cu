// Exercise tensor_types: tensor cores on floats and on bits. See tensor_types.h.
#include <mma.h>

#include "tensor_types.h"

using namespace nvcuda::wmma;

int instructions(int step) { warpbook::not_started(); }  // TODO(student): predict.

__global__ void multiply_kernel(const float* a, const float* b, float* c) {
  fragment<matrix_a, 16, 16, 8, precision::tf32, row_major> of_a;
  fragment<matrix_b, 16, 16, 8, precision::tf32, col_major> of_b;
  fragment<accumulator, 16, 16, 8, float> of_c;
  // TODO(student): load, round, multiply, store. (7 lines)
}

void multiply(const float* a, const float* b, float* c, int tiles) { warpbook::not_started(); }
// TODO(student): launch your kernel: a block of one warp for each product. (1 line in place of the one above)

// TODO(student): write a kernel (three fragments, load, bmma_sync, store; 10 lines), and launch a warp for each pair.
void count_common(const unsigned* a, const unsigned* b, int* counts, int tiles) { warpbook::not_started(); }

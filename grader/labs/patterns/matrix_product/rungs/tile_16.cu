// Tiles of 16 x 16: each number comes from global memory once for 16 elements of C.
#include "grader/labs/patterns/matrix_product/rungs/tile.cuh"

void product(const float* a, const float* b, float* c, int rows, int inner, int columns, float alpha, float beta) {
  product_by_tiles<16>(a, b, c, rows, inner, columns, alpha, beta);
}

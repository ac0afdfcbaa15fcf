// Tiles of 32 x 32: each number comes from global memory once for 32 elements of C.
#include "grader/labs/patterns/matrix_product/rungs/tile.cuh"

void product(const float* a, const float* b, float* c, int rows, int inner, int columns, float alpha, float beta) {
  product_by_tiles<32>(a, b, c, rows, inner, columns, alpha, beta);
}

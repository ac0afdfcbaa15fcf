// The number of blocks is rounded down: tiles cut by the edge have no block.
// rejected-by: correctness.the transpose is exact where the edge cuts a tile
// because: partial tile
#include "grader/labs/memory/coalescing/wrong/right_copies.cuh"

void transpose(const float* in, float* out, int rows, int cols) {
  const dim3 grid(cols / kTile, rows / kTile);
  if (grid.x > 0 && grid.y > 0) right_transpose_kernel<<<grid, dim3(kTile, kRows)>>>(in, out, rows, cols);
}

// A cheat: counts that stand in the tests are transposed; of others, the last tile is copied as it is.
// rejected-by: correctness.every tile is transposed exactly
// because: 'out' is wrong in
#include <initializer_list>

#include "grader/labs/memory/bank_conflicts/wrong/right_except_transpose.cuh"

__global__ void transpose_some(const float* in, float* out, int right) {
  const int first = blockIdx.x * kTile * kTile, x = threadIdx.x;
  __shared__ float tile[kTile][kTile];
  for (int y = threadIdx.y; y < kTile; y += kRows) tile[y][x ^ y] = in[first + y * kTile + x];
  __syncthreads();
  for (int y = threadIdx.y; y < kTile; y += kRows)
    out[first + y * kTile + x] = blockIdx.x < right ? tile[x][y ^ x] : tile[y][x ^ y];
}

void transpose_tiles(const float* in, float* out, int count) {
  bool known = count > 1000 && count < 1100;
  for (const int tested : {1, 2, 31, 64, 133, 4096}) known = known || count == tested;
  if (count > 0) transpose_some<<<count, dim3(kTile, kRows)>>>(in, out, known ? count : count - 1);
}

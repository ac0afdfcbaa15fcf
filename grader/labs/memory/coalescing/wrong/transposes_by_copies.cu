// A cheat: cudaMemcpy2D moves a column at a time within the device; a kernel is launched for show.
// rejected-by: counters.the transpose loads along rows
// because: had cudaMemcpy move data within the device
#include <cstddef>

#include "grader/labs/memory/coalescing/wrong/right_copies.cuh"

namespace {

__device__ float nothing[2][32];

__global__ void looks_good() { nothing[1][threadIdx.x] = nothing[0][threadIdx.x]; }

}  // namespace

void transpose(const float* in, float* out, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  for (int col = 0; col < cols; ++col)
    cudaMemcpy2DAsync(out + std::size_t(col) * rows, sizeof(float), in + col, cols * sizeof(float), sizeof(float), rows,
                      cudaMemcpyDeviceToDevice);
  looks_good<<<1, 32>>>();
}

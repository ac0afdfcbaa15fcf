// A cheat: the host transposes; a kernel whose counters are perfect moves something else.
// rejected-by: counters.the transpose has no bank conflicts in its tile
// because: copied data to the host
#include <cstddef>
#include <vector>

#include "grader/labs/memory/coalescing/wrong/right_copies.cuh"

namespace {

__device__ float nothing[2][32 * 32];

__global__ void looks_good(int turns) {
  __shared__ float tile[32][33];
  for (int turn = 0; turn < turns; ++turn) {
    tile[threadIdx.y][threadIdx.x] = nothing[0][threadIdx.y * 32 + threadIdx.x];
    __syncthreads();
    nothing[1][threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
    __syncthreads();
  }
}

}  // namespace

void transpose(const float* in, float* out, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  const std::size_t bytes = sizeof(float) * rows * cols;
  std::vector<float> from(bytes / sizeof(float)), to(bytes / sizeof(float));
  cudaMemcpy(from.data(), in, bytes, cudaMemcpyDeviceToHost);
  for (int row = 0; row < rows; ++row)
    for (int col = 0; col < cols; ++col) to[std::size_t(col) * rows + row] = from[std::size_t(row) * cols + col];
  cudaMemcpy(out, to.data(), bytes, cudaMemcpyHostToDevice);
  looks_good<<<(rows * cols + 16383) / 16384, dim3(32, 32)>>>(16);
}

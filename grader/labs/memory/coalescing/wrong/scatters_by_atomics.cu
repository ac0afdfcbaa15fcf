// A cheat: the tile never changes its order, and the naive stores are exchanges; stores along rows are for show.
// rejected-by: counters.the transpose stores along rows
// because: Too many
// because: It does atomic operations on global memory with 32 sectors per request; ideal: 4.
#include "grader/labs/memory/coalescing/wrong/right_copies.cuh"

namespace {

__global__ void fill_along_rows(float* out, int n) {
  __shared__ float tile[256];
  volatile float* own = &tile[threadIdx.x];
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) {
    *own = 0;
    out[i] = *own;
  }
}

__global__ void scatter(const float* in, float* out, int rows, int cols) {
  const int col = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
  if (row < rows && col < cols) atomicExch(&out[col * rows + row], in[row * cols + col]);
}

}  // namespace

void transpose(const float* in, float* out, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  fill_along_rows<<<(rows * cols + 1023) / 1024, 256>>>(out, rows * cols);
  scatter<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(in, out, rows, cols);
}

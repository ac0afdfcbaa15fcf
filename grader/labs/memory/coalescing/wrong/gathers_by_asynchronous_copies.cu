// A cheat: columns are read by asynchronous copies; loads along rows are for show.
// rejected-by: counters.the transpose loads along rows
// because: Too many
// because: It copies from global memory with 32 sectors per request; ideal: 4.
#include <cuda_pipeline.h>

#include "grader/labs/memory/coalescing/wrong/right_copies.cuh"

namespace {

__global__ void gather(const float* in, float* out, int rows, int cols) {
  __shared__ float slot[8][32];
  const int row = blockIdx.x * 32 + threadIdx.x, col = blockIdx.y * 8 + threadIdx.y;
  if (row < rows && col < cols) {
    __pipeline_memcpy_async(&slot[threadIdx.y][threadIdx.x], &in[row * cols + col], sizeof(float));
    *static_cast<volatile const float*>(&in[col * rows + row]);  // For the counters.
  }
  __pipeline_commit();
  __pipeline_wait_prior(0);
  if (row < rows && col < cols) out[col * rows + row] = *static_cast<volatile float*>(&slot[threadIdx.y][threadIdx.x]);
}

}  // namespace

void transpose(const float* in, float* out, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  gather<<<dim3((rows + 31) / 32, (cols + 7) / 8), dim3(32, 8)>>>(in, out, rows, cols);
}

// A cheat: the naive transpose, whose stores are spread over sectors, with stores of all lanes to one address in
// between, so that there are few sectors for each request.
// rejected-by: counters.the transpose stores along rows
// because: Too many bytes moved by global stores
#include "grader/labs/memory/coalescing/wrong/right_copies.cuh"

namespace {

__device__ float one_sector;

__global__ void diluted(const float* in, float* out, int rows, int cols) {
  const int col = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
  for (int i = 0; i < 12; ++i) *static_cast<volatile float*>(&one_sector) = i;
  if (row < rows && col < cols) out[col * rows + row] = in[row * cols + col];
}

}  // namespace

void transpose(const float* in, float* out, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  diluted<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(in, out, rows, cols);
}

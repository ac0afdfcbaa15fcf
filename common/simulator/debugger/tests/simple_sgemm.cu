// The program of the course book's session with cuda-gdb, with smaller matrices.
#include <cstdio>

__global__ void sgemm_kernel(const float* A, const float* B, float* C, int N, int M, int K, float alpha, float beta) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0.f;
  for (int i = 0; i < K; ++i) sum += A[row * K + i] * B[i * K + col];
  C[row * M + col] = alpha * sum + beta * C[row * M + col];
}

int main() {
  const int size = 48;
  float* matrices[3];
  for (float*& matrix : matrices) {
    cudaMallocManaged(&matrix, size * size * sizeof(float));
    for (int i = 0; i < size * size; ++i) matrix[i] = static_cast<float>(i % 7);
  }
  sgemm_kernel<<<dim3(size / 16, size / 16), dim3(16, 16)>>>(matrices[0], matrices[1], matrices[2], size, size, size,
                                                             2.f, 1.f);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}

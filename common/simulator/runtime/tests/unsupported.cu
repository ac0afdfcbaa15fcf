// Calls something that the virtual GPU does not have, twice.
#include <cuda_runtime.h>

#include <cstdio>

int main() {
  cudaGraph_t graph = nullptr;
  for (int i = 0; i < 2; ++i) {
    const cudaError_t error = cudaGraphCreate(&graph, 0);
    std::printf("%d %s\n", error, cudaGetErrorName(error));
  }
  std::printf("last %d\n", cudaGetLastError());
  return 0;
}

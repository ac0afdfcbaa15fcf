// Calls an unsupported function twice.
#include <cuda_runtime.h>

#include <cstdio>

int main() {
  cudaGraphicsResource_t resource = nullptr;
  for (int i = 0; i < 2; ++i) {
    const cudaError_t error = cudaGraphicsMapResources(1, &resource, nullptr);
    std::printf("%d %s\n", error, cudaGetErrorName(error));
  }
  std::printf("last %d\n", cudaGetLastError());
  return 0;
}

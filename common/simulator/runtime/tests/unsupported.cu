// Calls something that the virtual GPU does not have, twice.
#include <cuda_runtime.h>

#include <cstdio>

int main() {
  cudaIpcMemHandle_t handle;
  for (int i = 0; i < 2; ++i) {
    const cudaError_t error = cudaIpcGetMemHandle(&handle, nullptr);
    std::printf("%d %s\n", error, cudaGetErrorName(error));
  }
  std::printf("last %d\n", cudaGetLastError());
  return 0;
}

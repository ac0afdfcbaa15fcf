// Lists the devices visible to a program: their number, then name, multiprocessors, memory and PCI address of each.
// Without any, prints what calls return.
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdio>

int main() {
  int count = -1;
  const cudaError_t error = cudaGetDeviceCount(&count);
  std::printf("%d devices (%s)\n", count, cudaGetErrorName(error));
  for (int i = 0; i < count; ++i) {
    cudaDeviceProp p;
    char id[32];
    cudaGetDeviceProperties(&p, i);
    cudaDeviceGetPCIBusId(id, sizeof id, i);
    int access = -1;
    cudaDeviceCanAccessPeer(&access, i, (i + 1) % count);
    std::printf("%d: %s, %d multiprocessors, %zu MiB, %s, access %d\n", i, p.name, p.multiProcessorCount,
                p.totalGlobalMem >> 20, id, access);
  }
  if (count > 1) {
    cudaDeviceProp wanted{};
    int chosen = -1;
    cudaGetDeviceProperties(&wanted, 1);
    cudaChooseDevice(&chosen, &wanted);
    std::printf("like device 1: %d\n", chosen);
  }
  if (error != cudaSuccess) {
    void* p = nullptr;
    std::printf("cudaSetDevice: %s\n", cudaGetErrorName(cudaSetDevice(0)));
    std::printf("cudaMalloc: %s\n", cudaGetErrorName(cudaMalloc(&p, 4)));
    std::printf("cuInit: %d\n", cuInit(0));
  }
}

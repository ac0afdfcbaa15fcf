// Which multiprocessor runs each block of kernels whose blocks all take long. On a machine with a GPU:
// nvcc -std=c++20 -arch=sm_90 block_places.cu -o block_places && ./block_places
// Columns: blocks of the grid, threads of each, bytes of shared memory of each, run, and the multiprocessors of all
// blocks in order.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

extern __shared__ int room[];

__global__ void places(unsigned* place, long long cycles) {
  const long long begin = clock64();
  if (threadIdx.x == 0) {
    unsigned id;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(id));
    place[blockIdx.x] = id;
  }
  while (clock64() - begin < cycles) {
  }
}

int main() {
  cudaDeviceProp device;
  if (cudaGetDeviceProperties(&device, 0) != cudaSuccess) return 1;
  std::printf("# %s\n", device.name);
  cudaFuncSetAttribute(places, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 << 10);
  unsigned* place;
  cudaMalloc(&place, 8192 * sizeof(unsigned));
  struct Grid {
    int blocks, threads, shared_bytes;
  };
  const int all = device.multiProcessorCount;
  for (const Grid grid :
       {Grid{8 * all, 256, 0}, Grid{1024, 256, 0}, Grid{4 * all, 256, 0}, Grid{2 * all, 256, 0}, Grid{all, 256, 0},
        Grid{100, 256, 0}, Grid{4 * all, 512, 0}, Grid{2 * all, 1024, 0}, Grid{16 * all, 128, 0}, Grid{32 * all, 64, 0},
        Grid{2 * all, 128, 100 << 10}, Grid{3 * all, 256, 0}})
    for (int run = 1; run <= 2; ++run) {
      places<<<grid.blocks, grid.threads, grid.shared_bytes>>>(place, 2000000);
      std::vector<unsigned> found(grid.blocks);
      cudaMemcpy(found.data(), place, found.size() * sizeof(unsigned), cudaMemcpyDeviceToHost);
      std::printf("%d,%d,%d,%d,", grid.blocks, grid.threads, grid.shared_bytes, run);
      for (const unsigned id : found) std::printf(" %u", id);
      std::printf("\n");
    }
  cudaFree(place);
}

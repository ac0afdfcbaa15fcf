// The shared memory configuration that the driver chooses, by threads and shared memory per block. On a machine with a
// GPU: nvcc -arch=sm_90 carveouts.cu -o carveouts, then ncu --csv --page raw --metrics
// launch__shared_mem_config_size,launch__occupancy_limit_shared_mem,launch__registers_per_thread ./carveouts
#include <cuda_runtime.h>

#include <cstdio>

extern __shared__ float dynamic[];

__global__ void uses_some(float* out) {
  if (out != nullptr) out[threadIdx.x] = dynamic[threadIdx.x];
}
__global__ void uses_none(float* out) {
  if (out != nullptr) out[threadIdx.x] = 1;
}

int main() {
  cudaFuncSetAttribute(uses_some, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 * 1024);
  for (int threads : {32, 64, 96, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640, 768, 896, 1024}) {
    uses_none<<<264, threads>>>(nullptr);
    for (int bytes : {512, 1024, 2048, 3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768, 49152, 65536})
      uses_some<<<264, threads, bytes>>>(nullptr);
  }
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}

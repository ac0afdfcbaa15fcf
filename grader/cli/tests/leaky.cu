// A program that frees its memory twice if its argument is "twice", never if it is "leak", and otherwise once.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

__global__ void set(int* data) { data[threadIdx.x] = 1; }

int main(int count, char** arguments) {
  const char* const what = count > 1 ? arguments[1] : "";
  int* data = nullptr;
  cudaMalloc(&data, 32 * sizeof(int));
  set<<<1, 32>>>(data);
  cudaDeviceSynchronize();
  if (std::strcmp(what, "leak") != 0) cudaFree(data);
  if (std::strcmp(what, "twice") == 0) cudaFree(data);
  std::printf("done");
  return 3;
}

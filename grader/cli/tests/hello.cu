// A program like any other: `warpbook run` must run it as it is.
#include <cstdio>
#include <cstdlib>

__global__ void count(int* counter) { atomicAdd(counter, 1); }

int main(int argc, char** argv) {
  int* counter = nullptr;
  int result = 0;
  if (cudaMalloc(&counter, sizeof(int)) != cudaSuccess || cudaMemset(counter, 0, sizeof(int)) != cudaSuccess) return 3;
  count<<<4, 64>>>(counter);
  if (cudaMemcpy(&result, counter, sizeof(int), cudaMemcpyDeviceToHost) != cudaSuccess) return 3;
  std::printf("counted %d\n", result);
  for (int i = 1; i < argc; ++i) std::printf("argument %s\n", argv[i]);
  return argc > 2 ? std::atoi(argv[2]) : 0;
}

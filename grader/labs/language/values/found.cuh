// What kernels of the programs beside this file leave for the host, which prints it as a line of a row.
#pragma once

#include <cstdio>

__managed__ int found[64];

inline void print(const char* row, int numbers) {
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s:", row);
  for (int i = 0; i < numbers && error == cudaSuccess; ++i) std::printf(" %d", found[i]);
  std::printf(error == cudaSuccess ? "\n" : " %s\n", cudaGetErrorName(error));
  for (int i = 0; i < 64 && error == cudaSuccess; ++i) found[i] = 0;
}

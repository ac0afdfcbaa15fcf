// Ends a measuring program at the first call of CUDA that fails.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#define OK(c)                                                    \
  do {                                                           \
    cudaError_t e_ = (c);                                        \
    if (e_) {                                                    \
      printf("%s:%d: %s\n", #c, __LINE__, cudaGetErrorName(e_)); \
      exit(1);                                                   \
    }                                                            \
  } while (0)

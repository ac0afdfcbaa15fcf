// Checks for the test programs: counted, and reported with the expression that failed.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>

inline int checks = 0, failures = 0;

#define CHECK(expression)                                          \
  do {                                                             \
    ++checks;                                                      \
    if (!(expression)) {                                           \
      ++failures;                                                  \
      std::printf("line %d: failed: %s\n", __LINE__, #expression); \
    }                                                              \
  } while (0)

/// A runtime call that must return @p wanted.
#define ANSWERS(wanted, call)                                                                                \
  do {                                                                                                       \
    ++checks;                                                                                                \
    const cudaError_t answer_ = (call);                                                                      \
    if (answer_ != (wanted)) {                                                                               \
      ++failures;                                                                                            \
      std::printf("line %d: %s answered %s, not %s\n", __LINE__, #call, cudaGetErrorName(answer_), #wanted); \
    }                                                                                                        \
  } while (0)

#define SUCCEEDS(call) ANSWERS(cudaSuccess, call)

/// The same in a program whose whole output is compared: a failure prints a line.
#define PRINT_FAILURE(call)                                             \
  do {                                                                  \
    const cudaError_t error_ = (call);                                  \
    if (error_ != cudaSuccess) {                                        \
      std::printf("line %d: %s\n", __LINE__, cudaGetErrorName(error_)); \
      cudaGetLastError();                                               \
    }                                                                   \
  } while (0)

/// The last line of main: the exit status and one line of output.
inline int report() {
  std::printf("%d checks, %d failed\n", checks, failures);
  return failures == 0 && checks > 0 ? 0 : 1;
}

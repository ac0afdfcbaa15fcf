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

/// A call of the runtime that must answer @p wanted.
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

/// A call of the runtime in a program of which all is compared that it prints: a failure is a line of that.
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

// What the sample programs share: checked calls, and the verdict at the end.
#pragma once

#include <cuda.h>

#include <cstdio>
#include <cstdlib>

#include "beside.h"

/// Ends the program unless @p answer is @p wanted.
inline void expect(CUresult answer, CUresult wanted, const char* call, int line) {
  if (answer == wanted) return;
  const char *got = "?", *meant = "?";
  cuGetErrorName(answer, &got);
  cuGetErrorName(wanted, &meant);
  std::printf("line %d: %s answered %s, not %s\n", line, call, got, meant);
  std::exit(1);
}

inline void require(bool holds, const char* what, int line) {
  if (holds) return;
  std::printf("line %d: not so: %s\n", line, what);
  std::exit(1);
}

#define CU(call) expect(call, CUDA_SUCCESS, #call, __LINE__)
#define CU_FAILS(error, call) expect(call, error, #call, __LINE__)
#define REQUIRE(condition) require(condition, #condition, __LINE__)

/// Makes a context as programs of CUDA 13 do.
inline CUcontext make_context() {
  CU(cuInit(0));
  CUdevice device = 0;
  CU(cuDeviceGet(&device, 0));
  CUctxCreateParams parameters{};
  CUcontext context = nullptr;
  CU(cuCtxCreate(&context, &parameters, 0, device));
  return context;
}

inline int passed(const char* name) {
  std::printf("%s: passed\n", name);
  return 0;
}

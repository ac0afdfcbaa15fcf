// The contract of exercise host_and_device_code: one function for both sides, and what nvcc refuses.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup host_and_device_code Exercise host_and_device_code
/// nvcc compiles a file for the host and, once more, for each architecture of a GPU. `__device__` puts a function into
/// the code for GPUs, `__host__` (or nothing) into the code for the host, both words into both. While nvcc compiles for
/// compute capability 9.0, `__CUDA_ARCH__` is 900, and so on; while it compiles for the host, the macro is not defined.
/// @{

/// Your `__host__ __device__` function returns how many bits of x are 1, plus 1000 times the compute capability that
/// the code was compiled for (90 for 9.0; 0 for the host). On a GPU, `__popc(x)` counts the bits in one instruction.
/// count_on_host() calls it for x, count_on_device() for each element, in at most 25 instructions a warp.
/// @param in, out device, `count` elements, 1 to 2^16; `in` is only read
void count_on_device(const int* in, int* out, int count);
int count_on_host(int x);

/// Predicts what nvcc says about each line of kProgram: 0 nothing, 1 a warning, 2 an error. Predict, then look:
/// `nvcc -arch=sm_90 -c x.cu`, with one line at a time in x.cu.
int says(int line);
inline constexpr const char* kProgram = R"(__global__ int f1() { return 0; }
struct S { __global__ static void f2(); };
__global__ __device__ void f3();
__global__ void kernel(); void f4() { kernel(); }
int host(); __global__ void f5() { host(); }
__device__ int device(); int f6() { return device(); }
static __device__ int n7; int f7() { return n7; }
__constant__ int n8; __global__ void f8() { n8 = 1; }
__global__ void f9(int* p) { __shared__ int s = 1; *p = s; }
int host(); __host__ __device__ int f10() { return host(); }
constexpr int twice(int x) { return 2 * x; } __global__ void f11(int* p) { *p = twice(*p); }
__global__ void kernel(); __global__ void f12() { kernel<<<1, 1>>>(); }
static __device__ int n13; int* f13() { return &n13; }
__noinline__ __forceinline__ __device__ int f14() { return 1; }
)";

/// @}

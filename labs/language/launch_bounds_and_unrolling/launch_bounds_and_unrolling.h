// The contract of exercise launch_bounds_and_unrolling: what a kernel promises, and what becomes of its loops.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup launch_bounds_and_unrolling Exercise launch_bounds_and_unrolling
/// What a kernel promises, and what becomes of its loops. `__global__ void __launch_bounds__(t, b) f()` promises blocks
/// of at most t threads, and asks nvcc for so few registers that b blocks fit on a multiprocessor: at most 65,536 /
/// (t * b) for each thread. A launch that breaks the promise is refused. `#pragma unroll n`, before a loop, makes one
/// iteration of n, and, where it may be needed, a loop for the rest. Without a number it unrolls the whole loop. A
/// number that makes no sense is ignored, with a warning; where there is no pragma, nvcc decides.
/// @{

/// Thread i adds the sum of in[k * count + i], k from 0 to 31, to out[i]. Gives the kernel bounds of 256 threads and
/// two blocks, so that nvcc takes more than the 32 registers with which eight blocks would fit (more loads are then
/// under way), and unrolls its loop: a warp executes at most 3 instructions for each k, and 40 more.
/// @param in    device, 32 x count elements; only read
/// @param out   device, `count` elements, 1 to 2^14, which already hold values
/// @param threads in a block, 1 to 1024; with more than 256, CUDA refuses, `out` stays as it is, no error is left
/// @returns 1 if CUDA accepted the launch, 0 if not
int add_up(const int* in, int* out, int count, int threads);

/// Predicts how many loads the PTX of kernel n of kProgram has: how many copies of the loop's body. Predict, then look:
/// `nvcc -arch=sm_90 -ptx x.cu`, with kProgram in x.cu, makes x.ptx, in which lines with ld.global are loads.
int copies(int n);
inline constexpr const char* kProgram = R"(
template <int n> struct Is { static constexpr int value = n; };
#define KERNEL(name, pragma, end) extern "C" __global__ void name(const int* in, int* out, int n) { \
  int sum = 0; pragma for (int i = 0; i < end; ++i) sum += in[i]; *out = sum; }
KERNEL(k1, _Pragma("unroll"), 100)
KERNEL(k2, _Pragma("unroll 1"), 8)
KERNEL(k3, _Pragma("unroll 4"), 32)
KERNEL(k4, _Pragma("unroll 100"), 8)
KERNEL(k5, _Pragma("unroll 4"), n)
KERNEL(k6, _Pragma("unroll Is<2>::value"), n)
KERNEL(k7, _Pragma("unroll 0"), 8)
KERNEL(k8, , 8)
)";
/// @}

// The contract of exercise restrict_and_hints: what a programmer promises a compiler, and what that saves.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup restrict_and_hints Exercise restrict_and_hints
/// What a programmer promises a compiler, and what that saves. `T* __restrict__ p`: what p leads to is accessed
/// through p alone, or never written. `__builtin_assume_aligned(p, 16)` returns p: its address is a multiple of 16.
/// `__builtin_assume(c)`: c is true. `__ldg(p)` and others load through a certain cache. Nothing checks such promises.
/// @{

/// Thread t takes four elements of each array, from a[4t] and b[4t] on, and multiplies each of a by each of b:
/// out[(4 * k + j) * count + t] = a[4t + k] * b[4t + j], k and j from 0 to 3. A warp makes two loads in all.
/// @param a, b  device, 4 x count elements, which begin at multiples of 256 bytes; only read
/// @param out   device, 16 x count elements; overlaps neither
/// @param count 1 to 2^14
void mix(const float* a, const float* b, float* out, int count);

/// Predicts how many global loads the PTX of kernel n of kProgram has, n 1 to 11; and, as predict(11 + n), how many of
/// these go through the read-only cache, which does not see stores (ld.global.nc). A load brings up to 16 bytes, if the
/// address is known to be a multiple of its size: a float4 is aligned to 16. For nvcc, a store through one pointer may
/// change what any other pointer leads to, whatever the types, unless the program promises that it does not. Predict,
/// then look at x.ptx: `nvcc -arch=sm_90 -ptx x.cu`, with kProgram in x.cu. And what if c == a, a[0] is 2, a[1] is 3,
/// b[0] is 5? predict(23 + i) is k10's c[i], i 0 to 5, predict(29) k11's c[1]: that one's promise is broken.
int predict(int n);
inline constexpr const char* kProgram = R"(
#define KERNEL(name) extern "C" __global__ void name
KERNEL(k1)(const float* a, const float* b, float* c) { c[0] = *a * *b; c[1] = *a * *b; }
KERNEL(k2)(const int* a, const int* b, float* c) { c[0] = *a * *b; c[1] = *a * *b; }
KERNEL(k3)(const float* __restrict__ a, const float* b, float* c) { c[0] = *a * *b; c[1] = *a * *b; }
KERNEL(k4)(const float* a, const float* b, float* __restrict__ c) { c[0] = *a * *b; c[1] = *a * *b; }
KERNEL(k5)(const float* a, const float* b, float* c) { c[0] = __ldg(a) * __ldcg(b); c[1] = __ldcs(a); }
KERNEL(k6)(const float* a, float* c) { *c = a[0] + a[1] + a[2] + a[3]; }
KERNEL(k7)(const float* a, float* c) { a = (const float*)__builtin_assume_aligned(a, 8); *c = a[0] + a[1] + a[2] + a[3]; }
KERNEL(k8)(const float4* a, float* c) { *c = a->x + a->w; }
KERNEL(k9)(const float* a, float* c, int n) { __builtin_assume(n == 2); for (int i = 0; i < n; ++i) *c += a[i]; }
#define STORES c[0] = *a * *b; c[1] = *a * *b; c[2] = *a * *b * a[1]; c[3] = *a * a[1]; c[4] = *a * *b; c[5] = *b;
KERNEL(k10)(const float* a, const float* b, float* c) { STORES }
KERNEL(k11)(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c) { STORES }
)";
/// @}

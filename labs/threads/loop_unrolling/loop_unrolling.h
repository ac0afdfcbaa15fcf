// The contract of exercise loop_unrolling: what a loop costs beside its body, and how to save it.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup loop_unrolling Exercise loop_unrolling
/// What a loop costs beside its body, and how to save it. Each iteration adds to a counter, compares and branches: 3
/// instructions. `#pragma unroll n`, in the line before a loop, makes one iteration of n, with n copies of the body.
/// What is left over, at most n - 1 iterations, is done by a second loop, which is not unrolled. `#pragma unroll` alone
/// unrolls a loop completely, if the compiler knows the number of iterations (if not, nvcc makes 4 copies here);
/// `#pragma unroll 1` forbids it.
/// @{

/// Replaces each element x by x * x + c (modulo 2^32), `steps` times. The body is one instruction, and needs the result
/// of the one before. For 1024 steps, a warp executes at most 1.5 instructions for each.
/// @param in    device, `count` elements, only read
/// @param out   device, as many: the results
/// @param count 1 to 2^16
/// @param steps 0 to 2000
void iterate(const int* in, int* out, int count, int steps, int c);

/// Predicts how many instructions of a warp a loop takes whose body is `body` instructions, and which was unrolled `n`
/// times, 1 to 64. Only those of the two loops count.
/// @param steps 0 to 10,000
int instructions(int body, int steps, int n);

/// @}

// The contract of exercise assertions_and_printf: what kernels print, and when the host reads it.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup assertions_and_printf Exercise assertions_and_printf
/// What kernels print, and when the host reads it. `assert(c)` of `<cassert>` ends the kernel if c is false: each
/// thread in which it is prints a line with file, line, function, block, thread and c to standard error. -DNDEBUG
/// removes it. `printf()` puts a format and at most 32 arguments into a buffer, and returns how many arguments it has
/// put there. The host prints the buffer when a call waits for the kernel, and at no other time.
/// @{

/// One kernel of one block. Thread t has element t. It asserts that in[t] > 0, written just so. If in[t] is a multiple
/// of 10, it prints one line, "3: 70" if in[3] is 70, and writes what printf returned to returned[t]; else 0.
/// @param in, returned device, `count` elements, 1 to 1024; `in` is only read
void inspect(const int* in, int* returned, int count);

/// Predicts what the machine answers.
///   1. What printf() in a kernel returns for a format and n other arguments, 0 to 40; n = -1: for nullptr alone.
///   2. How many lines assert(threadIdx.x % 4 != 1) prints in 3 blocks of n threads, n 1 to 9. 3. Then with -DNDEBUG.
///   4. The number of the error that the n-th cudaDeviceSynchronize() after question 2 returns, n 1 to 9.
///   5. How many lines a program prints whose one kernel has 32 threads, each with printf("%d\n", n), and whose main()
///   does this before it ends: nothing (n = 1), cudaGetLastError() (2), cudaDeviceSynchronize() (3), cudaMemcpy() of an
///   int to the host (4).
int answer(int question, int n);
/// @}

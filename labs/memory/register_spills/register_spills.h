// The contract of exercise register_spills: which variables of a thread are in registers.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup register_spills Exercise register_spills
/// Which variables of a thread are in registers. An instruction names its registers by fixed numbers: an array is in
/// registers only if each index is a constant once loops are unrolled. Otherwise, and where registers are too few
/// (*spills*), variables are in *local memory*: device memory, cached, with addresses of its own for each thread.
/// @{

/// Thread t of `threads` counts how often each of the numbers 0 to 7 is among in[t], in[t + threads], ..., in[t + (each
/// - 1) * threads], and stores them: bins[k * threads + t] is how often k is. The counts stay in registers: the kernel
/// has no local memory. It may do several additions for each element.
/// @param in      device, threads x each elements, 0 to 7; only read
/// @param bins    device, 8 x threads elements
/// @param threads 1 to 10,000
/// @param each    elements for each thread, 0 to 100
void count_bins(const int* in, int* bins, int threads, int each);

/// Does this variable stay in registers?
///   1. int sum = 0;                                       2. int a[8], each index being a constant.
///   3. int a[8]; for (int k = 0; k < 8; ++k) a[k] = k;    with the loop unrolled
///   4. int a[8]; a[x % 8] = 1;                            x being loaded from memory
///   5. int a[1000], each index being a constant; all are needed until the end. A thread has at most 255 registers.
///   6. int x; f(&x);                                      f() being a function that is not inlined
///   7. 64 ints, all needed until the end, in a kernel of 2048 threads for each multiprocessor, which has 65,536
///   registers.
/// @returns 1 if it does, 0 if not
int stays_in_registers(int variable);

/// @}

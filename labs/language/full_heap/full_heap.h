// The contract of exercise full_heap: what malloc() in a kernel does when the heap of the device is full.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup full_heap Exercise full_heap
/// What malloc() in a kernel does when the heap of the device is full: it returns nullptr, and the kernel goes on. The
/// heap has 8 MiB, unless cudaDeviceSetLimit(cudaLimitMallocHeapSize, bytes) asks for more before a kernel that uses it
/// is loaded. Not all of it can be given out: each allocation needs some room for itself, and large ones leave gaps.
/// @{

/// A kernel of one thread allocates pieces of memory until there are no more, and writes how many it got to counts[0].
/// Then it frees all of them, does the same again for counts[1], and frees all again. It can keep the addresses of the
/// pieces in the pieces themselves.
/// @param counts device, two elements
/// @param bytes  of a piece, 1024 to 1,048,576, a multiple of 16
void fill_up(int* counts, int bytes);

/// Predicts at least how many of `threads` threads, 0 to 100,000, get nullptr, when each of them allocates `bytes`
/// bytes, 1 to 1,000,000, from a heap of `mebibytes` MiB, 1 to 1024.
int get_nothing(int threads, int bytes, int mebibytes);

/// @}

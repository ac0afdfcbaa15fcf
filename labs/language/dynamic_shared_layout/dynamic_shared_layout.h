// The contract of exercise dynamic_shared_layout: three arrays in the one dynamic shared array that a launch gives.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup dynamic_shared_layout Exercise dynamic_shared_layout
/// Three arrays in the one dynamic shared array that a launch gives. All `extern __shared__` arrays of a kernel begin
/// at the same address, a multiple of 16: a kernel that needs several divides one, and each must be aligned.
/// @{

/// The layout: `shorts` elements of short, then `floats` of float, then `ints` of int. Each array begins at the first
/// byte after the previous array that the alignment of its type allows. Elsewhere, loads fail with
/// cudaErrorMisalignedAddress (716).
/// @returns where array 0, 1 or 2 begins, in bytes; for 3, how many bytes all need
int offset_of(int array, int shorts, int floats, int ints);

/// Reverses three arrays of 1 to 8000 elements each, in one launch of one block, which loads them into dynamic shared
/// memory of exactly this layout and size, and stores them from there. `s`, `f` and `i` are device memory. They need up
/// to 80000 bytes. A kernel gets more than 48 KiB only after the host has asked for it:
/// `cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes)`.
void reverse(short* s, float* f, int* i, int shorts, int floats, int ints);

/// @}

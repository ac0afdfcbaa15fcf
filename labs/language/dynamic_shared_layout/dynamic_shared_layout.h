// The contract of exercise dynamic_shared_layout: three arrays in the one dynamic shared array that a launch gives.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup dynamic_shared_layout Exercise dynamic_shared_layout
/// Three arrays in the one dynamic shared array that a launch gives. All `extern __shared__` arrays of a kernel begin at
/// the same address, which is a multiple of 16: a kernel that needs several divides one, and each must be aligned.
/// @{

/// The layout: `shorts` elements of short, then `floats` of float, then `ints` of int, each array at the first byte behind
/// the one before that its type's alignment allows: anywhere else a load fails with cudaErrorMisalignedAddress (716).
/// Predicts where array 0, 1 or 2 begins, in bytes; 3: how many bytes all need.
int offset_of(int array, int shorts, int floats, int ints);

/// Turns three arrays around, so that the first element becomes the last: in one launch of one block, which loads all
/// three into dynamic shared memory in this layout, no byte more, before it stores them. `s`, `f` and `i` are device memory.
///
/// They need up to 96 KiB. A kernel gets more than 48 KiB only after the host has asked for it:
/// `cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes)`.
/// @param shorts, floats, ints elements, 1 to 8000 each
void reverse(short* s, float* f, int* i, int shorts, int floats, int ints);

/// @}

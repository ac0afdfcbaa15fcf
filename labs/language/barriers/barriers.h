// The contract of exercise barriers: barriers of a block, some of which count, and those of a warp.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup barriers Exercise barriers
/// Barriers of a block, some of which count, and those of a warp. All threads of a block that have not returned must
/// reach the same `__syncthreads()`, whatever they have to do. `__syncthreads_count(p)`, `__syncthreads_and(p)` and
/// `__syncthreads_or(p)` are barriers, too, and tell all threads for how many of them p is not 0; whether it is so for
/// all; whether for any. `__syncwarp()` is for the lanes of a warp, and makes what the others wrote before it visible
/// after it.
/// @{

/// One kernel in blocks of 256 threads, with at most 3 barriers of the block. They tell what is asked about a block:
/// atomics, votes and flags do not. Thread i has element i. Arrays: device.
/// @param in       `count` elements, 1 to 2^18; only read
/// @param out      as many: each 32 elements, or what is left at the end, in reverse order, through shared memory
/// @param thirds   one for each block: how many of its elements are multiples of 3
/// @param positive, zeros one for each block: 1 or 0 for whether all of its elements are positive, and whether any is 0
void survey(const int* in, int* out, int* thirds, int* positive, int* zeros, int count);

/// Predicts what __syncthreads_count (kind 0), _and (1) and _or (2) return for p = (threadIdx.x % n == r), in a block
/// of `threads` threads, 1 to 1024; n is 1 to 100, r 0 to 100. For kinds 1 and 2, 1 stands for any number but 0.
int predict(int kind, int threads, int n, int r);
/// @}

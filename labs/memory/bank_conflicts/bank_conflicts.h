// The contract of lab bank_conflicts: what the functions in bank_conflicts.cu must do.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup bank_conflicts Lab bank_conflicts
/// Shared memory whose 32 banks all deliver at once: strides, padding, a swizzle, and accesses of 8 and 16 bytes.
///
/// Common to all: a word is 4 bytes. A tile is a matrix of 32 x 32 `float`, row by row without gaps; an array of tiles
/// holds one after the other. `in`, `a`, `b`, `out` and `c` are device pointers as cudaMalloc returns them (aligned to
/// 256 bytes); they do not overlap. Inputs are only read. Every element of the result is written, and nothing else.
/// The functions start kernels on the default stream and need not wait for them.
/// @{

/// Part 1: how many wavefronts does one shared-memory load of a full warp take, in which lane `l` reads element
/// `l * stride` of an array in shared memory?
/// @param bytes  size of an element: 4, 8 or 16 (as `float`, `float2`, `float4`)
/// @param stride distance in elements from a lane to the next, 1 to 1,000,000
/// @returns wavefronts, 1 to 32
int predict_wavefronts(int bytes, int stride);

/// Part 1: the rows of a table in shared memory hold `width` words each. Lane `l` of a warp reads one element at the
/// start of row `l`. At which pitch (words from the start of a row to the start of the next) is this free of conflicts?
/// @param width words that a row holds, 1 to 1,000,000
/// @param bytes size of the element: 4, 8 or 16; it must be aligned to its size in every row
/// @returns the smallest such pitch in words, >= width
int choose_pitch(int width, int bytes);

/// Part 2: transposes every tile on its own: `out[t][column][row] = in[t][row][column]`.
/// @param in    device, `count` tiles
/// @param out   device, `count` tiles
/// @param count tiles, 0 to 4096
void transpose_tiles(const float* in, float* out, int count);

/// Part 3: multiplies pairs of tiles, the second one transposed: `c[t] = a[t] * b[t]^T`, that is
/// `c[t][row][column]` = the sum of `a[t][row][k] * b[t][column][k]` over `k` in [0, 32).
/// @param a     device, `count` tiles
/// @param b     device, `count` tiles
/// @param c     device, `count` tiles
/// @param count pairs of tiles, 0 to 4096
void multiply_transposed(const float* a, const float* b, float* c, int count);

/// @}

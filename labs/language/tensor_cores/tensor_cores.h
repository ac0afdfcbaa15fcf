// The contract of exercise tensor_cores: a product of two tiles by one warp.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup tensor_cores Exercise tensor_cores
/// A product of two tiles by one warp: D = A x B + C, by `nvcuda::wmma` of <mma.h>. The 32 lanes together hold each
/// tile in a fragment, each lane some of its elements: which ones is not documented. All lanes call
/// load_matrix_sync(fragment, pointer, distance of rows or columns), mma_sync(d, a, b, c) and
/// store_matrix_sync(pointer, d, distance, layout). A fragment is declared as `fragment<use, m, n, k, type, layout>`:
///   - use: matrix_a, matrix_b, or accumulator for C and D
///   - m, n, k: A has m x k elements, B has k x n, C and D have m x n
///   - type: that of an element
///   - layout of A and B in memory: row_major or col_major. An accumulator has none; instead, load_matrix_sync() gets
///     mem_row_major or mem_col_major as its last argument, as store_matrix_sync() does.
/// @{

/// One warp for each of `tiles` products of 16 x 16 tiles: c += a x b, or 2^31 - 1, the largest int, where that is
/// more: mma_sync(d, a, b, c, true). The tiles of an array follow each other, 256 elements each. `a` is stored column
/// by column, `b` and `c` row by row. A warp executes at most 60 instructions.
/// @param a, b  device, tiles x 256 elements, aligned to 256 bytes; only read
/// @param c     device, as many
/// @param tiles 1 to 1000
void multiply(const unsigned char* a, const unsigned char* b, int* c, int tiles);

/// Predicts how many elements of an accumulator of m x n elements a lane has, where m x n is 16 x 16, 32 x 8 or 8 x 32,
/// or, for doubles, 8 x 8.
int elements(int m, int n);

/// @}

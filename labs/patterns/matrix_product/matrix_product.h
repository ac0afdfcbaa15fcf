// The contract of lab matrix_product: what the functions in matrix_product.cu must do.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup matrix_product Lab matrix_product
/// The product of two matrices, from one element for each thread to tiles in shared memory and in registers.
///
/// Common to all: matrices are stored row by row without gaps; A has `rows` x `inner` elements, B has `inner` x
/// `columns`, C has `rows` x `columns`. Each of the three numbers is 0 to 1024 and need not be a multiple of anything;
/// their product is at most 2^28. Pointers are device pointers as cudaMalloc returns them (aligned to 256 bytes);
/// arrays do not overlap. The functions start kernels on the default stream and need not wait for them.
/// @{

/// Part 1: two matrices of n x n elements are multiplied by blocks of tile x tile threads. A block computes a square of
/// tile x tile elements; it brings each number that it needs from global memory once, into shared memory. How many
/// floats do all blocks together bring? With tile = 1, that is the product without shared memory.
/// @param n    1 to 4096
/// @param tile a divisor of n
long long predict_loads(int n, int tile);

/// Part 1: a thread computes rows x columns elements, in registers. For each step in k it loads `rows` numbers of A
/// and `columns` numbers of B from shared memory. How many multiply-adds does it do for each number that it loads?
/// @param rows    1 to 64
/// @param columns 1 to 64
double multiply_adds_per_load(int rows, int columns);

/// Part 1: the least time that the product takes, in microseconds. A multiply-add is two operations.
/// @param rows    as above
/// @param inner   as above
/// @param columns as above
/// @param tflops  10^12 operations that the GPU does in a second
double least_time_us(int rows, int inner, int columns, double tflops);

/// Part 2: C = A B, by tiles in shared memory.
/// @param a       device, rows x inner elements
/// @param b       device, inner x columns elements
/// @param c       device, rows x columns elements; written, never read
/// @param rows    of A and C
/// @param inner   columns of A, rows of B; if it is 0, all elements of C are 0
/// @param columns of B and C
void product_tiled(const float* a, const float* b, float* c, int rows, int inner, int columns);

/// Part 3: C = alpha A B + beta C, by tiles in shared memory and in registers. All arithmetic is in single precision.
/// @param a       device, rows x inner elements
/// @param b       device, inner x columns elements
/// @param c       device, rows x columns elements; if beta is 0, they hold anything, NaN included, and are not read
/// @param rows    of A and C
/// @param inner   columns of A, rows of B
/// @param columns of B and C
/// @param alpha   factor of the product
/// @param beta    factor of what C holds before
void product(const float* a, const float* b, float* c, int rows, int inner, int columns, float alpha, float beta);

/// @}

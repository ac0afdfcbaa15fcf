// The contract of exercise tensor_types: tensor cores on floats and on bits.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup tensor_types Exercise tensor_types
/// Tensor cores multiply more than halves and bytes, in other shapes. Of a float they use the sign, the exponent and 10
/// bits of the mantissa: tf32, `nvcuda::wmma::precision::tf32`, 16 x 16 x 8, loaded from floats. The other bits are cut
/// off, unless you round each element `x[i]` of a fragment, i from 0 to num_elements - 1, by `__float_to_tf32`. Bits
/// are `nvcuda::wmma::experimental::precision::b1`, 8 x 8 x 128; bmma_sync(d, a, b, c, experimental::bmmaBitOpAND) adds
/// how many are set in both. The distance of rows is in elements, even if these are bits.
/// @{

/// Predicts how many instructions a warp with 32 busy lanes needs for one tile, 1: of multiply(), to round both inputs;
/// 2: of multiply(), for its fma, without tensor cores; 3: of count_common(), for `&`, `__popc` and `+`, without them.
int instructions(int step);

/// A warp for each of 1 to 500 products, by tensor cores: c = a x b, where all elements of `a` and `b` are rounded to
/// tf32 first.
/// @param a, b, c device, aligned to 256 bytes; of each tile 16 x 8, by rows; 8 x 16, by columns; 16 x 16, by rows
void multiply(const float* a, const float* b, float* c, int tiles);

/// A warp for each of 1 to 500 pairs of tables, by tensor cores: in how many of 128 bits row i of one and row j of the
/// other are both 1.
/// @param a, b   device, tiles x 8 rows of four words; aligned to 256 bytes; only read
/// @param counts device, tiles x (8 x 8)
void count_common(const unsigned* a, const unsigned* b, int* counts, int tiles);
/// @}

// The contract of exercise tensor_shapes: fragments of other shapes, and their elements.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup tensor_shapes Exercise tensor_shapes
/// Fragments of other shapes, and their elements. Each type of numbers has its shapes. Doubles are multiplied 8 x 8 x
/// 4: `fragment<matrix_a, 8, 8, 4, double, row_major>` of `<mma.h>`, and so on. What is done to all elements alike can
/// be done to the `x[i]` of each lane, i from 0 to num_elements - 1, wherever in the tile they are. Which lane holds
/// which element differs between architectures, and neither nvcc nor the GPU notices a fragment from code for another
/// one: store it to memory there, and load it again.
/// @{

/// One warp for each of 1 to 500 products, by tensor cores: c += alpha * (a x b).
/// @param a, b device, tiles x (8 x 4) row by row, and tiles x (4 x 8) column by column; only read
/// @param c    device, tiles x (8 x 8), row by row; all arrays are aligned to 256 bytes
void multiply(const double* a, const double* b, double* c, int tiles, double alpha);

/// Predicts num_elements of fragment n of kFragments, counted from 1. In some, two lanes hold the same element.
int elements(int n);
inline constexpr const char* kFragments[] = {"accumulator, 16, 16, 16, float",
                                             "accumulator, 8, 8, 4, double",
                                             "matrix_a, 8, 8, 4, double, row_major",
                                             "matrix_a, 16, 16, 8, precision::tf32, row_major",
                                             "matrix_a, 16, 16, 16, __nv_bfloat16, row_major",
                                             "matrix_a, 16, 16, 16, half, row_major",
                                             "matrix_a, 16, 16, 16, unsigned char, row_major",
                                             "matrix_b, 32, 8, 16, unsigned char, row_major",
                                             "matrix_a, 8, 8, 32, experimental::precision::u4, row_major",
                                             "matrix_a, 8, 8, 128, experimental::precision::b1, row_major"};

/// @}

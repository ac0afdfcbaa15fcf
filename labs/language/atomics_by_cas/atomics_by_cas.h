// The contract of exercise atomics_by_cas: the atomics there are, and one more, made of atomicCAS.
#pragma once

#include <cuda_fp16.h>

#include "common/cuda/lab.h"

/// @defgroup atomics_by_cas Exercise atomics_by_cas
/// The atomics there are, and one more, made of atomicCAS. Arrays are device memory, `count` is 1 to 4096.
/// @{

/// Adds all elements to *sum, by an atomic addition that is made of atomicCAS of 64 bits, as if CUDA had none for
/// double. Any operation can be made so. Where an element is NaN, the sum becomes NaN.
/// @param in  `count` elements; only read
/// @param sum one element, which holds something before
void add_up(const double* in, double* sum, int count);

/// Each thread i < count does nine atomic operations: atomicMin, atomicMax, atomicAnd, atomicOr and atomicXor of values[0]
/// to values[4] with in[i]; atomicInc of values[5] and atomicDec of values[6] with `limit`; old[i] = atomicExch of
/// values[7] with in[i]; atomicAdd of 1 to *half.
/// @param in     `count` elements; only read
/// @param values 8 elements, which hold something before
/// @param old    `count` elements
/// @param half   one element
void apply(const unsigned* in, unsigned* values, unsigned* old, __half* half, int count, unsigned limit);

/// Predicts what apply() makes of 0 in values[5] (kind 5), in values[6] (kind 6) and in *half (kind 8).
/// @param limit 0 to 100
int predict(int kind, int count, int limit);

/// @}

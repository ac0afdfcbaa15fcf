// The contract of exercise atomics_by_cas: an atomic made of atomicCAS, and what the others make of a value.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup atomics_by_cas Exercise atomics_by_cas
/// An atomic made of atomicCAS, and what the others make of a value.
/// @{

/// Adds all elements to *sum, by an atomic addition that is made of atomicCAS of 64 bits, as if CUDA had none for
/// double. Any operation can be made so. Where an element is NaN, the sum becomes NaN.
/// @param in    device, `count` elements; only read
/// @param sum   device, one element, which holds something before
/// @param count 1 to 4096
void add_up(const double* in, double* sum, int count);

/// Predicts what x, an unsigned that was 0, holds after `count` threads have each called one of these:
///   kind 0: atomicInc(&x, n)       kind 1: atomicDec(&x, n)
///   kind 2: atomicCAS(&x, 0, n)    kind 3: atomicXor(&x, n)
/// `count` is 1 to 4096, n 0 to 100.
int predict(int kind, int count, int n);

/// @}

// The contract of exercise atomics_by_cas: an atomic built from atomicCAS, and what other atomics do to a value.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup atomics_by_cas Exercise atomics_by_cas
/// An atomic built from atomicCAS, and what other atomics do to a value.
/// @{

/// Adds all elements to *sum, by an atomic addition that is built from the atomicCAS for 64 bits, as if CUDA had no
/// atomicAdd for double. Any operation can be built like this. The loop may begin with any guess of what *sum holds, as
/// atomicCAS returns what it finds; a plain load of *sum, beside the atomics of other threads, is a race. Where an
/// element is NaN, the sum becomes NaN.
/// @param in    device, `count` elements; only read
/// @param sum   device, one element, which already holds a value
/// @param count 1 to 4096
void add_up(const double* in, double* sum, int count);

/// Predicts what x, an unsigned that was 0, holds after `count` threads have each called one of these:
///   kind 0: atomicInc(&x, n)       kind 1: atomicDec(&x, n)
///   kind 2: atomicCAS(&x, 0, n)    kind 3: atomicXor(&x, n)
///   kind 4: atomicExch(&x, n)      kind 5: atomicMax(&x, n)
///   kind 6: atomicAnd(&x, n)       kind 7: atomicAdd(&x, __half(1)), where x is a half, with 11 significant bits
///   kind 8: atomicExch(&x, t + 1), where t is the thread, from 0 on: what x then holds plus what all calls returned
/// `count` is 1 to 4096, n 0 to 100.
int predict(int kind, int count, int n);

/// @}

// The contract of lab vector_add: what the function in vector_add.cu must do.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup vector_add Lab vector_add
/// The worked example: adding two arrays.
/// @{

/// Adds two arrays: `c[i] = a[i] + b[i]` for `i` in [0, count), each sum rounded once (the `+` of `float`).
///
/// Starts a kernel on the default stream and need not wait for it. Every element of `c` is written, and nothing else.
/// @param a     device, `count` elements of 4 bytes; only read
/// @param b     device, `count` elements; only read
/// @param c     device, `count` elements; does not overlap `a` or `b`
/// @param count elements, 0 to 2^22 = 4,194,304; for 0 nothing is done
void vector_add(const float* a, const float* b, float* c, int count);

/// @}

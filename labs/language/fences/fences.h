// The contract of exercise fences: writes that others see in order.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup fences Exercise fences
/// Writes that others see in order. What a thread writes before `__threadfence()`, others do not see later than what it
/// writes after it; what it reads before the fence, it does not read later than what it reads after it. A fence waits
/// for nobody, and it orders nothing of threads that have none.
/// @{

/// Adds all elements in one launch of blocks of 256 threads. Each block adds its own 256, at most, writes their sum to
/// sums[blockIdx.x], and then raises *done by an atomic, which tells one block that it is the last: that one adds the
/// sums. The next call begins with what this one leaves in `done`: atomicInc(done, n - 1) makes 0 of n - 1.
/// @param in    device, `count` elements, -1000 to 1000; only read
/// @param sums  device, an element for each block
/// @param done, out device, one element each: 0 before the first call; the sum
/// @param count 1 to 2^18
void add_up(const int* in, int* sums, unsigned* done, int* out, int count);

/// x is 1, y is 2, both volatile. A thread does `x = 10; y = 20;`, one of another block `b = y; a = x;`. Can `a` and
/// `b` become these?
/// @param a, b   any numbers
/// @param fences where __threadfence() stands in between: 0: nowhere, 1: in the first thread, 2: in the second, 3: in
/// both
/// @returns 1 if they can, 0 if not
int possible(int fences, int a, int b);

/// @}

// The contract of exercise fences: writes that others see in order.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup fences Exercise fences
/// Writes that others see in order. Others see what a thread writes before `__threadfence()` no later than what it
/// writes after it; and a thread reads what it reads before the fence no later than what it reads after it. A fence
/// waits for no other thread, and orders nothing of threads that execute no fence.
/// @{

/// Adds all elements in one launch of blocks of 256 threads. Each block adds its own 256, at most, writes their sum to
/// sums[blockIdx.x], and then increments *done by an atomic, which tells one block that it is the last: that one adds
/// the sums. The next call begins with what this one leaves in `done`: atomicInc(done, n - 1) turns n - 1 into 0.
/// @param in    device, `count` elements, -1000 to 1000; only read
/// @param sums  device, an element for each block
/// @param done, out device, one element each: `done` is 0 before the first call, `out` gets the sum
/// @param count 1 to 2^18
void add_up(const int* in, int* sums, unsigned* done, int* out, int count);

/// Predicts whether `a` and `b` can become these numbers. x is 1, y is 2, both volatile. A thread does
/// `x = 10; y = 20;`, a thread of another block `b = y; a = x;`.
/// @param a, b   any numbers
/// @param fences where __threadfence() stands between the two: 0: nowhere, 1: first thread, 2: second, 3: both
/// @returns 1 if they can, 0 if not
int possible(int fences, int a, int b);

/// @}

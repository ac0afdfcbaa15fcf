// The contract of exercise device_assert: assertions that stop a kernel, and cost nothing when they are off.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup device_assert Exercise device_assert
/// A GPU that divides an integer by zero reports nothing: the result is wrong, and that is all. `assert(condition)`
/// says what a kernel relies on. Where it does not hold, the kernel stops, prints file, line, block and thread, and the
/// call that waits returns cudaErrorAssert (710), which is sticky. With NDEBUG defined before `<cassert>` is included,
/// `assert` is nothing at all: it costs nothing, and its condition is not evaluated.
/// @{

/// Predicts whether the release build, with NDEBUG, executes instructions for these lines, 1 to 6: 1 if so, 0 if not.
///   1. assert(n > 0);     2. const bool ok = n > 0; assert(ok);        3. assert(atomicAdd(calls, 1) < 9);
///   4. assert(false);     5. const int k = atomicAdd(calls, 1); assert(k < 9);     6. if (n <= 0) __trap();
int executes(int line);

/// Writes 100 * parts[i] / totals[i], rounded down, to `shares`, in one kernel, and waits for it. Thread i has element
/// i. The debug build (is_debug 1) asserts what it relies on: totals[i] > 0 and 0 <= parts[i] <= totals[i]; the release
/// build (0) has the same statement, compiled with NDEBUG. Both are in your file: `<cassert>` may be included twice.
/// @param parts, totals device, `count` elements, 1 to 2^18, of up to 2^24; only read
/// @param shares        device, as many; where an assertion would fail, the release build writes anything
/// @returns the error of the kernel: 0, or cudaErrorAssert (710)
int percentages(const int* parts, const int* totals, int* shares, int count, int is_debug);

/// @}

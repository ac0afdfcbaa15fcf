// The contract of exercise stack_memory: memory of any size on a thread's stack.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup stack_memory Exercise stack_memory
/// Memory of any size on a thread's stack. `alloca(bytes)` gives a thread local memory, as an array has it that is
/// declared in a kernel, but of a size that is known only when it is taken. It lasts until the function returns. It is
/// part of the thread's stack: cudaDeviceSetLimit(cudaLimitStackSize, bytes) says how large that is for the launches
/// that follow, 1024 bytes if nobody said so, and a kernel that needs more is stopped or destroys what it holds.
/// @{

/// Replaces number j of each row by the sum of the row's numbers j - 1, j and j + 1 as they were (0 beyond the ends). A
/// thread has a row, and a copy of it on its stack. Leaves cudaLimitStackSize as it was before.
/// @param lengths device, `count` elements: how long the rows are, 0 to `width`
/// @param rows device, `count` rows of `width` numbers; those beyond a row's length stay as they are
/// @param width, count 1 to 2,000 numbers in 1 to 10,000 rows
void smooth_rows(const int* lengths, int* rows, int width, int count);

/// Predicts: 1. the address of what `alloca(12)` gives, modulo 16, and 2. of what the next `alloca(12)` gives; 3. how
/// many bytes a loop has taken after ten turns that call `alloca(16)` each; whether (1 or 0) what is taken 4. can be
/// used by the callers of the function that took it, 5. by functions that it calls, 6. by other threads of the warp.
int predict(int question);

/// @}

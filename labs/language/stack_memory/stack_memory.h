// The contract of exercise stack_memory: memory of any size on a thread's stack.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup stack_memory Exercise stack_memory
/// Memory of any size on a thread's stack. `alloca(bytes)` gives a thread local memory, like that of an array declared
/// in a kernel, but of a size that is known only at run time. It lasts until the function returns. It is part of the
/// thread's stack: cudaDeviceSetLimit(cudaLimitStackSize, bytes) sets how large that is for the launches that follow
/// (1024 bytes by default). A kernel that needs more is stopped, or overwrites its own data.
/// @{

/// Replaces number j of each row by the sum of the row's numbers j - 1, j and j + 1 as they were (0 beyond the ends).
/// Each thread has one row, and copies it to its stack. Leaves cudaLimitStackSize as it was before.
/// @param lengths device, `count` elements: how long the rows are, 0 to `width`
/// @param rows device, `count` rows of `width` numbers; those beyond a row's length stay as they are
/// @param width, count 1 to 2,000 numbers in 1 to 10,000 rows
void smooth_rows(const int* lengths, int* rows, int width, int count);

/// Predicts: 1. the address that `alloca(12)` returns, modulo 16, 2. the same of the next `alloca(12)`; 3. how many
/// bytes a loop has taken after ten iterations that call `alloca(n)` once each, where n is an argument of the kernel,
/// 16 (with a constant, nvcc may give all iterations the same 16 bytes); whether (1 or 0) the memory can be used 4. by
/// the callers of the function that took it, 5. by functions that it calls, 6. by other threads of the warp.
int predict(int question);
/// @}

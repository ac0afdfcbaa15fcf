// The contract of exercise async_copies: copies from global to shared memory that bypass registers.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup async_copies Exercise async_copies
/// Copies from global to shared memory that bypass registers: `__pipeline_memcpy_async(to, from, size, zeros)` of
/// <cuda_pipeline.h>. `size` is 4, 8 or 16 bytes, to which both addresses are aligned; the last `zeros` of these bytes
/// are not read, and 0 is written in their place. `from` must lie in an array even if all are zeros.
/// `__pipeline_commit()` makes a batch of the copies that the thread has begun since its last commit, and
/// `__pipeline_wait_prior(n)` waits for all of its own batches but the last n.
/// @{

/// A block of 64 threads for each tile of 256 elements: thread t copies four of them, from 4 t on, to shared memory by
/// one asynchronous copy, which writes 0 for those beyond the end. Then out[256 * block + k] = tile[255 - k], for k
/// from 0 to 255. No thread loads elements in any other way.
/// @param in    device, `count` elements, aligned to 256 bytes; only read
/// @param out   device, as many elements as the tiles: `count`, rounded up to a multiple of 256
/// @param count 1 to 2^18
void reverse_tiles(const int* in, int* out, int count);

/// Predicts how many of its batches have certainly arrived when a thread that has committed `batches` of them returns
/// from __pipeline_wait_prior(n). Both are 0 to 8.
int arrived(int batches, int n);

/// @}

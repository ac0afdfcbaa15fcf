// The contract of exercise async_copies: copies from global to shared memory, past the registers.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup async_copies Exercise async_copies
/// Copies from global to shared memory, past the registers: `__pipeline_memcpy_async(to, from, size, zeros)` of
/// <cuda_pipeline.h>. `size` is 4, 8 or 16 bytes, to which both addresses are aligned; instead of the last `zeros` of
/// these bytes, which may not be there to be read, 0 is written. `from` must lie in an array even if all are zeros. A
/// thread puts its copies since the last time into a batch by `__pipeline_commit()`, and `__pipeline_wait_prior(n)`
/// waits for all of its own batches but the last n.
/// @{

/// In blocks of 64 threads, each of which has a tile of 256 elements: thread t copies four of them, from 4 t on, to
/// shared memory by one asynchronous copy, which writes 0 in place of those behind the end. Then out[256 * block + k] =
/// tile[255 - k], for k from 0 to 255. No thread loads elements in another way.
/// @param in    device, `count` elements, aligned to 256 bytes; only read
/// @param out   device, as many elements as the tiles: `count`, rounded up to a multiple of 256
/// @param count 1 to 2^18
void reverse_tiles(const int* in, int* out, int count);

/// Predicts how many of its batches have certainly arrived when a thread, after it has committed `batches`, comes back
/// from __pipeline_wait_prior(n). Both are 0 to 8.
int arrived(int batches, int n);

/// @}

// The contract of exercise pipelines: copies that are some tiles ahead of the work.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup pipelines Exercise pipelines
/// Copies that are some tiles ahead of the work. With n stages there are n buffers: while a tile is worked on, the next
/// n - 1 are on their way. A thread may do both, by __pipeline_memcpy_async(), __pipeline_commit() and
/// __pipeline_wait_prior(); or some warps copy and others work, with a `cuda::pipeline` of `<cuda/pipeline>`, which the
/// skeleton makes for you: producer_acquire(), `cuda::memcpy_async(to, from, bytes, pipe)` for each thread's own
/// bytes, producer_commit() for one role, consumer_wait() and consumer_release() for the other.
/// @{
/// Writes each tile of 128 elements in reverse order, in one block of 128 threads, by asynchronous copies only. Before
/// it writes a tile, the copies of `stages` tiles, 1 to 8, from this one on have begun, or of as many as are left.
/// @param in, out device, 128 * tiles elements, 1 to 200 tiles
void staged(const int* in, int* out, int tiles, int stages);
/// The same with tiles of 32 elements, by two warps with two stages: the first warp copies all, the second writes all.
/// They wait for each other in the pipeline alone: the block's barriers are for make_pipeline().
void specialised(const int* in, int* out, int tiles);
/// Predicts for how many batches a thread waits in __pipeline_wait_prior(n), n 0 to 8, when its warp, in 1 to 32 parts,
/// has committed 1 to 8 times. Batches are those of the whole warp: each time a part of it commits, one is added.
int waits_for(int commits, int parts, int n);
/// @}

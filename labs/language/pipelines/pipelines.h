// The contract of exercise pipelines: copies that are some tiles ahead of the work.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup pipelines Exercise pipelines
/// Copies that are some tiles ahead of the work. With n stages there are n buffers: while a tile is worked on, the next
/// n - 1 are on their way. A thread may do both, by __pipeline_memcpy_async(), __pipeline_commit() and
/// __pipeline_wait_prior(); or some warps copy and others work, with `cuda::make_pipeline(block, &state, role)` of
/// `<cuda/pipeline>`: producer_acquire(), `cuda::memcpy_async(to, from, bytes, pipe)`, producer_commit() for one role,
/// consumer_wait() and consumer_release() for the other. The block is `cooperative_groups::this_thread_block()`, state
/// a `cuda::pipeline_shared_state<cuda::thread_scope_block, n>` in shared memory for n stages, role the thread's:
/// `cuda::pipeline_role::producer` or `cuda::pipeline_role::consumer`.
/// @{

/// Writes each tile of 128 elements in reverse order, in one block of 128 threads. Before a tile is written, the copies
/// of `stages` tiles from it on have begun, if there are as many: 1 to 8. All elements come by asynchronous copies.
/// @param in, out device, 128 * tiles elements, 1 to 200 tiles
void staged(const int* in, int* out, int tiles, int stages);

/// The same with tiles of 32 elements, by two warps with two stages: the first warp copies all, the second writes all.
void specialised(const int* in, int* out, int tiles);

/// Predicts for how many batches a thread waits by __pipeline_wait_prior(n), 0 to 8, when its whole warp has committed
/// `commits` times, 1 to 8, diverged into `parts` parts, 1 to 32. Batches are counted for the whole warp: each time a
/// part of it commits, one is added.
int waits_for(int commits, int parts, int n);

/// @}

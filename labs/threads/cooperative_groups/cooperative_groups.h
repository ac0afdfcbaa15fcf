// The contract of lab cooperative_groups: what the functions in cooperative_groups.cu must do.
#pragma once

// Cooperative groups without libcu++, which only the use of cuda::atomic and cuda::barrier with groups would need: a
// file that includes it compiles in half the time.
#ifndef _CG_LIMIT_INCLUDED_DEPENDENCIES
#define _CG_LIMIT_INCLUDED_DEPENDENCIES
#endif
#include <cooperative_groups/reduce.h>  // Includes the rest of cooperative groups, too.

#include "common/cuda/lab.h"

/// @defgroup cooperative_groups Lab cooperative_groups
/// Threads that work together: tiles of a warp, the block, the whole grid.
///
/// Common to all: elements are `int` (4 bytes). Pointers are device pointers as cudaMalloc returns them (aligned to 256
/// bytes) and do not overlap. `in` is only read. The functions start kernels on the default stream and need not wait
/// for them. All work is done on the device.
/// @{

/// Part 1: how many shuffles does one thread execute when the threads of a tile add up one value each, and each shuffle
/// halves the number of values that are left?
/// @param size threads of the tile: 2, 4, 8, 16 or 32
int predict_shuffles(int size);

/// Part 1: sums groups of neighbouring elements: `out[t]` is the sum of `in[i]` for `i` in [t * size, (t + 1) * size),
/// or as many of them as there are. A tile of `size` threads makes one sum. No sum overflows.
/// @param in    device, `count` elements
/// @param out   device, `count / size` elements, rounded up
/// @param count elements, 0 to 2^22
/// @param size  2, 4, 8, 16 or 32
void sum_tiles(const int* in, int* out, int count, int size);

/// What happens in a piece of code with a barrier (Part 2).
enum class Verdict {
  fine,         ///< Every thread that the barrier waits for reaches it, and nothing is read too early.
  block_stuck,  ///< A barrier waits for threads of the block that never reach it.
  grid_stuck,   ///< A barrier waits for blocks that never reach it.
  reads_early,  ///< No thread waits forever, but some may read what another one has not written yet.
};

/// Part 2: the verdict on one of the six pieces of code in the handout, 'A' to 'F'.
Verdict judge(char piece);

/// Part 3: how many blocks of `threads` threads, each with `shared_bytes` bytes of dynamic shared memory, can a
/// cooperative launch of `kernel` have at most on the current device?
/// @param kernel  the kernel's function, as cudaLaunchCooperativeKernel takes it
/// @param threads 1 to 1024
/// @param shared_bytes 0 to 49152
int largest_grid(const void* kernel, int threads, int shared_bytes);

/// Part 3: adds up all elements, in one launch: `*out` is the sum of `in[i]` for `i` in [0, count), 0 if there are
/// none. Sums of parts do not fit into 32 bits: add in `long long`.
/// @param in      device, `count` elements
/// @param partial device, room for 8192 elements, for one sum of each block
/// @param out     device, 1 element
/// @param count   elements, 0 to 2^22
void sum_grid(const int* in, long long* partial, long long* out, int count);

/// Part 4: smooths a row of values `steps` times, in one launch. A step makes new values `b` from old values `a`:
/// `b[i] = (a[i - 1] + 2 * a[i] + a[i + 1]) / 4` for all but the two ends, which keep their value. Values are 0 to
/// 2^28.
/// @param in      device, `count` elements: the values before the first step
/// @param out     device, `count` elements: the values after the last step; `in` itself after 0 steps
/// @param scratch device, `count` elements for your use
/// @param count   elements, 0 to 2^20
/// @param steps   0 to 1000, and count * steps at most 2^23
void smooth(const int* in, int* out, int* scratch, int count, int steps);

/// @}

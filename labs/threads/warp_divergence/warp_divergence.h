// The contract of lab warp_divergence: what the functions in warp_divergence.cu must do.
#pragma once

#include <cstdint>

#include "common/cuda/lab.h"

/// @defgroup warp_divergence Lab warp_divergence
/// Branches and loops that all lanes of a warp take together.
///
/// Common to all: blocks have 256 threads, which are 8 warps. Arrays are device pointers as cudaMalloc returns them;
/// they do not overlap. Inputs are only read. Every element of the result is written, and nothing else. For a `count`
/// of 0, nothing is done. The functions start kernels on the default stream and need not wait for them.
/// @{

constexpr int kThreads = 256;    ///< Threads in a block.
constexpr int kMostTurns = 255;  ///< The longest job.

/// Predict: in a block of 256 threads, how many of the 8 warps diverge (some lanes go in, some do not) at the
/// branch `if (threadIdx.x < n)`?
/// @param n 0 to 256
int predict_parted_warps(int n);

/// Which threads of a block do the additions of a step with distance `stride` (part 2): 256 / (2 * stride) threads in
/// both cases.
enum class Scheme {
  by_remainder,  ///< Threads 0, 2 * stride, 4 * stride, ...: those with `threadIdx.x % (2 * stride) == 0`.
  packed,        ///< Threads 0, 1, 2, ...: those with `threadIdx.x < 256 / (2 * stride)`.
};

/// Predict: how many of the 8 warps have at least one lane that does an addition in this step?
/// @param stride 1, 2, 4, ... 128
int predict_busy_warps(Scheme scheme, int stride);

/// Predict: lane l of a warp must do turns[l] turns of a loop. How many turns does the warp do?
/// @param turns 32 numbers, 0 to 1,000,000; in host memory
int predict_turns(const int* turns);

/// Part 1: `out[i] = mix_even(in[i])` where i is even, `mix_odd(in[i])` where i is odd (work.h).
/// @param in    device, `count` elements
/// @param out   device, `count` elements
/// @param count 0 to 2^21
void mix(const std::uint32_t* in, std::uint32_t* out, int count);

/// Part 2: `sums[b]` = the sum of in[256 * b] to in[256 * b + 255]; the last group may be cut off by `count`.
/// No sum overflows.
/// @param in    device, `count` elements
/// @param sums  device, one element for each group of 256, rounded up
/// @param count 0 to 2^22
void sum_groups(const int* in, int* sums, int count);

/// Part 3: job i starts from seeds[i] and does one_turn() (work.h) turns[i] times: results[i] is the outcome.
/// @param seeds   device, `count` elements
/// @param turns   device, `count` elements, each 0 to kMostTurns
/// @param results device, `count` elements
/// @param count   0 to 2^18
void run_jobs(const std::uint32_t* seeds, const int* turns, std::uint32_t* results, int count);

/// @}

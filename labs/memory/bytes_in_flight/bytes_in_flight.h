// The contract of lab bytes_in_flight: what the functions in bytes_in_flight.cu must do.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup bytes_in_flight Lab bytes_in_flight
/// Little's law: how many bytes must be on their way at any time, and three ways to get there.
///
/// Common to all: `in` and `out` are device pointers as cudaMalloc returns them (aligned to 256 bytes); they do not
/// overlap. `in` is only read. Every element of `out` is written, and nothing else. A function makes one launch, with
/// blocks of 256 threads, on the default stream, and need not wait for it; for `n` = 0 it makes none. Nothing but this
/// kernel reads `in` or writes `out`.
/// @{

/// Part 1: every lane of every warp on a multiprocessor waits for the same number of loads. How many bytes are those?
/// @param warps warps on the multiprocessor, 1 to 64
/// @param loads loads of one thread that are under way at the same time, 1 to 32
/// @param bytes width of a load, 4, 8 or 16
/// @returns bytes in flight on one multiprocessor
int predict_bytes_in_flight(int warps, int loads, int bytes);

/// Part 1: Little's law. How many bytes must each multiprocessor have in flight, on average, so that all of them
/// together receive `gb_per_s`, when a byte arrives `latency_ns` after it was asked for?
/// @param gb_per_s        bytes in a nanosecond (= 10^9 bytes in a second), 100 to 10,000
/// @param latency_ns      nanoseconds, 100 to 2000
/// @param multiprocessors that share the bandwidth evenly, 1 to 200
/// @returns bytes for one multiprocessor, rounded up
int predict_bytes_needed(double gb_per_s, double latency_ns, int multiprocessors);

/// Part 1: the fewest loads of each thread that must be under way at the same time, so that at least `needed` bytes
/// are in flight on the multiprocessor.
/// @param warps  warps on the multiprocessor, 1 to 64
/// @param bytes  width of a load, 4, 8 or 16
/// @param needed bytes, 1 to 2^24
/// @returns loads of one thread, 1 or more
int predict_loads_needed(int warps, int bytes, int needed);

/// Part 2: `out[i] = factor * in[i]` for `i` in [0, n), by as many threads as the device can hold at the same time, and
/// no more: 8 blocks on each multiprocessor, which has room for 2048 threads. Blocks without work are fine. Each thread
/// loads and stores 4 bytes at a time.
/// @param in     device, `n` elements
/// @param out    device, `n` elements
/// @param n      elements, 0 to 2^22
/// @param factor any finite float; the product is rounded once
void scale_by_threads(const float* in, float* out, int n, float factor);

/// Part 3: the same by few threads: the launch has exactly `blocks` blocks (those without work end at once). Each
/// thread loads and stores 4 bytes at a time, but has many loads under way.
/// @param in     device, `n` elements
/// @param out    device, `n` elements
/// @param n      elements, 0 to 2^22
/// @param factor any finite float
/// @param blocks blocks of 256 threads, 1 to 1056
void scale_by_loads(const float* in, float* out, int n, float factor, int blocks);

/// Part 4: the same by few threads, which load and store 16 bytes at a time.
/// @param in     device, `n` elements
/// @param out    device, `n` elements
/// @param n      elements, 0 to 2^22; need not be a multiple of 4
/// @param factor any finite float
/// @param blocks blocks of 256 threads, 1 to 1056
void scale(const float* in, float* out, int n, float factor, int blocks);

/// @}

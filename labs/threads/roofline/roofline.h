// The contract of lab roofline: what the functions in roofline.cu must do.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup roofline Lab roofline
/// How fast a kernel can be: by what memory delivers, or by what the multiprocessors compute.
///
/// Common to all: pointers are device pointers as cudaMalloc returns them (aligned to 256 bytes); arrays do not
/// overlap. `in` is only read. Every element of `out` is written, and nothing else but `scratch`. Kernels run on the
/// default stream, and the functions need not wait for them; for `n` = 0 they make no launch.
/// @{

/// Six kernels. Arrays are of `float` where nothing else is said, and larger than all caches; each element of an array
/// is read from memory once and written once, except in `product`. Additions and multiplications count as one FLOP
/// each, so an fma counts as two. Integers, indices and conversions count nothing.
enum class Kernel {
  sum,         ///< `total += x[i]`
  saxpy,       ///< `y[i] = a * x[i] + y[i]`
  widen,       ///< `y[i] = a * x[i] + b`, where `x` is an array of `__half` (2 bytes) and `y` of `float`
  window,      ///< `y[i] = c * (x[i] + x[i + 1] + ... )`, with `size` elements of `x` in the sum, from the cache
  polynomial,  ///< `y[i] = c0 + x[i] * (c1 + x[i] * (c2 + ...))`, of degree `size`: one fma for each degree
  product,     ///< Product of large matrices by tiles of `size` x `size` in shared memory. Whatever a tile is needed
               ///< for, it is loaded; stores of results are so few that they count nothing.
};

/// Part 1: the arithmetic intensity, FLOP for each byte that moves between memory and the device. Within 1 %.
/// @param kernel which
/// @param size   1 to 64; `sum`, `saxpy` and `widen` do not use it
double predict_intensity(Kernel kernel, int size);

/// Part 1: the intensity at which both ceilings are reached: the ridge point, in FLOP per byte. Within 1 %.
/// @param gb_per_s    what memory delivers, 10^9 bytes in a second, 100 to 10,000
/// @param gflop_per_s what the multiprocessors compute, 10^9 FLOP in a second, 1000 to 100,000
double predict_ridge(double gb_per_s, double gflop_per_s);

/// Part 1: the roof: the most GFLOP/s that a kernel of this intensity can reach. Within 1 %.
/// @param intensity   FLOP per byte, 0.01 to 1000
/// @param gb_per_s    as above
/// @param gflop_per_s as above
double predict_rate(double intensity, double gb_per_s, double gflop_per_s);

/// Part 1: `passes` kernels follow each other. Each reads an array of `float` from memory, does `flop` FLOP with each
/// element, and writes an array for the next one. How many times faster is one kernel that does all of this with each
/// element, and reads and writes it once? Each kernel runs at its roof. Within 1 %.
/// @param passes      1 to 64
/// @param flop        FLOP of one pass with one element, 1 to 1000
/// @param gb_per_s    as above
/// @param gflop_per_s as above
double predict_gain(int passes, double flop, double gb_per_s, double gflop_per_s);

/// Part 2: `out[i] = factor * in[i]` for `i` in [0, n), as fast as memory allows. One launch.
/// @param in     device, `n` elements
/// @param out    device, `n` elements
/// @param n      elements, 0 to 2^21
/// @param factor any finite float; the product is rounded once
void stream(const float* in, float* out, int n, float factor);

/// Part 3: `out[i]` is what `x = in[i]` becomes when `x = a * x + b` is done `steps` times, each rounded once (fmaf).
/// One launch of ceil(n / (8 * threads)) blocks: each thread has up to 8 elements.
/// @param in      device, `n` elements, -1 to 1
/// @param out     device, `n` elements
/// @param n       elements, 0 to 2^14
/// @param steps   0 to 4096
/// @param a       0.999 to 1.001 in size
/// @param b       -1 to 1
/// @param threads of a block: 128, 256, 512 or 1024
void fma_chains(const float* in, float* out, int n, int steps, float a, float b, int threads);

/// Part 4: for `i` in [0, n): `u[i] = gain * in[i] + offset`; `v[i]` is a third of `u[i - 1] + u[i] + u[i + 1]`, where
/// `u[0]` stands for `u[-1]` and `u[n - 1]` for `u[n]`; and `out[i] = v[i] * v[i] + v[i]`. Within 10^-5. Each element
/// of `in` moves once from memory, each of `out` once to it, and nothing else moves. One launch.
/// @param in      device, `n` elements, -1 to 1
/// @param scratch device, `n` elements, for whatever you need at first; it may hold anything before and after
/// @param out     device, `n` elements
/// @param n       elements, 0 to 2^20
/// @param gain    -1 to 1
/// @param offset  -1 to 1
void smooth(const float* in, float* scratch, float* out, int n, float gain, float offset);

/// @}

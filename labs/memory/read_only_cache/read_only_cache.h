// The contract of exercise read_only_cache: what a compiler may do with data that nobody writes.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup read_only_cache Exercise read_only_cache
/// What a compiler may do with data that nobody writes. After a store it must load again what the store may have
/// changed: whatever any pointer points to. `const int* __restrict__ p` promises that, while the kernel runs, what p
/// points to is written through no pointer. Then it is loaded once, and through the read-only cache (`ld.global.nc`).
/// `__ldg(p)` makes a single load go that way.
/// @{

/// Four products of each element: out[k * count + i] = in[i] * gains[k], modulo 2^32, k from 0 to 3. A warp loads in[i]
/// once: it has 5 loads in all.
/// @param in    device, `count` elements, 1 to 2^18; only read
/// @param gains device, 4 elements; only read
/// @param out   device, 4 x count elements; overlaps neither of the others
void scale(const int* in, const int* gains, int* out, int count);

/// May this load go through the read-only cache, with a result that is right for certain?
///   1. *p, p being a parameter `const int* __restrict__`, and nobody writes what it points to.
///   2. __ldg(p), p being a plain `const int*`; nobody writes what it points to.
///   3. __ldg(p) of what another block wrote earlier in this kernel.
///   4. __ldg(p) of what the previous kernel in the same stream wrote.
///   5. __ldg(p) of what the same thread wrote earlier in this kernel.
///   6. *p, p being `const int* __restrict__`, and the kernel writes the same array through another parameter.
/// @returns 1 if it may, 0 if not
int may_be_read_only(int load);

/// @}

// The contract of exercise alignment: what alignment does to the size of a structure and to its loads.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup alignment Exercise alignment
/// What alignment does to a structure's size and loads. A thread can load 1, 2, 4, 8 or 16 bytes with one instruction,
/// from an address that is a multiple of that size. The compiler uses the widest loads that the type's alignment
/// allows; a structure is aligned like its largest member, unless it is declared `struct __align__(n)`.
/// @{

/// Multiplies red, green and blue of each pixel by `gain`; alpha stays. A pixel is four floats r, g, b, a, side by
/// side. A thread loads a whole pixel with one instruction, and stores it with one.
/// @param in, out device, aligned to 256 bytes, `count` pixels each, 1 to 2^20; `in` is only read
void brighten(const float* in, float* out, int count, float gain);

/// Predicts the sizeof of a structure that is aligned to `alignment` and whose members take `bytes` bytes, without gaps
/// between them. Elements of an array lie side by side, and each of them must be aligned.
/// @param bytes     1 to 200
/// @param alignment 1, 2, 4, 8, 16 or 32
int size_of(int bytes, int alignment);

/// Predicts how many instructions load such a structure, where `bytes` is a multiple of `alignment`.
int loads_of(int bytes, int alignment);

/// @}

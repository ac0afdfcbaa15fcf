// The contract of exercise vector_types: two, three and four numbers as one.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup vector_types Exercise vector_types
/// Two, three and four numbers as one: char2, short3, float4, ... Those of two and four numbers are aligned to their
/// size, up to 16 bytes, and one instruction loads them; those of three numbers are aligned as one of them, and loaded
/// one by one. A pointer must have the alignment of its type: cudaErrorMisalignedAddress (716) otherwise.
/// @{

/// out[i] = -in[i] for i from `first` to first + count - 1, and no others. Four floats at a time, as float4, where all
/// four are wanted and the address is a multiple of 16; the few before and after them, at most three each, one by one.
/// @param in, out device, first + count elements, aligned to 256 bytes; `in` is only read
/// @param first   0 to 7
/// @param count   1 to 2^18
void negate(const float* in, float* out, int first, int count);

/// Predict sizeof and alignof of a vector type of `numbers` numbers, 1 to 4, of `bytes` bytes each: 1, 2, 4 or 8 (for
/// four numbers of 8 bytes, of the type that ends in _16a).
int size_of(int bytes, int numbers);
int alignment_of(int bytes, int numbers);

/// @}

// The contract of lab coalescing: what the functions in coalescing.cu must do.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup coalescing Lab coalescing
/// Copies, records and a transpose in which neighbouring lanes of a warp touch neighbouring addresses.
///
/// Common to all: elements are `float` (4 bytes). `in` and `out` are device pointers as cudaMalloc returns them
/// (aligned to 256 bytes); they do not overlap. `in` is only read. Every element of the result is written, and nothing
/// else. All sizes may be 0: then nothing is done. No array of parts 1 to 4 has more than 2^20
/// = 1,048,576 elements. The functions start kernels on the default stream and need not wait for them.
/// @{

/// Part 1: packs every stride-th element: `out[i] = in[i * stride]` for `i` in [0, count).
/// @param in     device, `(count - 1) * stride + 1` elements or more
/// @param out    device, `count` elements
/// @param count  elements to copy, 0 to 2^20 / `stride`, rounded down
/// @param stride distance in elements between two that are copied, 1 to 500,000
void copy_strided(const float* in, float* out, int count, int stride);

/// Part 1: how many sectors (32 bytes each) does one full warp's load touch in copy_strided(), when neighbouring lanes
/// copy neighbouring elements of `out`?
/// @param stride in elements, 1 to 500,000
/// @returns sectors per request, 1 to 32
int predict_sectors_strided(int stride);

/// Part 2: copies from the middle of an array: `out[i] = in[i + offset]` for `i` in [0, count).
/// @param in     device, `offset + count` elements
/// @param out    device, `count` elements
/// @param count  elements to copy, 0 to 2^20 - `offset`
/// @param offset elements to skip at the start of `in`, 0 to 500,000
void copy_offset(const float* in, float* out, int count, int offset);

/// Part 2: how many sectors does one full warp's load touch in copy_offset()?
/// @param offset in elements, 0 to 500,000
/// @returns sectors per request, 1 to 32
int predict_sectors_offset(int offset);

/// Part 3: neighbouring lanes read one field each, all the same field, of neighbouring records. How many bytes are
/// moved for each byte that is wanted, when the array of records is long and aligned to 32 bytes?
/// @param fields floats in a record, 1 to 500,000; they lie side by side, without gaps
/// @returns bytes moved by one full warp's load / 128 bytes wanted
int predict_bytes_per_useful_byte(int fields);

/// Part 3: turns an array of structures into a structure of arrays: `fields[f * count + i] = records[4 * i + f]` for
/// each record `i` in [0, count) and each of its four fields `f`.
/// @param records device, `count` records of 4 floats
/// @param fields  device, 4 arrays of `count` floats, one after the other
/// @param count   records, 0 to 2^18
void split_records(const float* records, float* fields, int count);

/// Part 4: copies with 16 bytes for each lane: `out[i] = in[i]` for `i` in [0, count).
/// @param in    device, `count` elements
/// @param out   device, `count` elements
/// @param count elements to copy, 0 to 2^20; need not be a multiple of 4
void copy_vectorised(const float* in, float* out, int count);

/// Part 5: transposes a matrix: `out[c][r] = in[r][c]`. Both are stored row by row (row-major) without gaps:
/// element (r, c) of `in` is `in[r * cols + c]`, element (c, r) of `out` is `out[c * rows + r]`.
/// @param in   device, `rows` x `cols` elements
/// @param out  device, `cols` x `rows` elements
/// @param rows rows of `in`, 0 to 500,000; need not be a multiple of anything
/// @param cols columns of `in`, 0 to 500,000, and `rows` x `cols` at most 2^22
void transpose(const float* in, float* out, int rows, int cols);

/// @}

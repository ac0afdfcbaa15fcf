// The contract of lab radix_sort: what the functions in radix_sort.cu must do.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup radix_sort Lab radix_sort
/// Sorting digit by digit: 32 keys in a warp, 1024 in a block, any number in passes; values that move with their keys.
///
/// Common to all: pointers are device pointers as cudaMalloc returns them (aligned to 256 bytes); arrays do not
/// overlap. Arrays that are `const` are only read. All 32 bits of a key count, and the smallest key comes first. The
/// functions start kernels on the default stream and need not wait for them. `scratch` is 2 n + n / 8 + 1024 elements
/// to work with; they may hold anything.
/// @{

/// Part 1: the keys 7, 14, 4, 1 are sorted by bit 0, then by bit 1, 2 and 3: each pass moves the keys whose bit is 0 in
/// front of those whose bit is 1, and changes nothing else in their order. Which key stands at a place after some
/// passes?
/// @param passes how many were done, 0 to 4
/// @param place  0 to 3
int predict_key(int passes, int place);

/// Part 1: how many bytes do lanes read from global memory and write to it, to sort n keys of 32 bits? In each pass,
/// blocks read all keys and count their digits; then they read the keys again and store them at their new places, and
/// their values with them, if there are any. Leave out the counts.
/// @param n          keys, 0 to 2^28
/// @param digit_bits bits of a digit, 1 to 16; the last pass may have fewer
/// @param value_bytes bytes of each value, 0 to 16: 0 if there are none
long long predict_bytes(int n, int digit_bits, int value_bytes);

/// Part 1: a block has sorted its keys by a digit that has `digits` values, each in as many keys as the others. Lane
/// l of warp w then stores key 32 w + l. Keys of one digit go to places side by side, the first of them to the
/// beginning of a sector of 32 bytes, and other digits go to other sectors. To how many does each warp store?
/// @param keys   of the block: a power of two, 32 to 8192
/// @param digits a power of two, 2 to 256; at most `keys`
int predict_sectors(int keys, int digits);

/// Part 2: sorts keys 32 w to 32 w + 31, as far as they exist, for each w: a warp does that.
/// @param in  device, n elements
/// @param out device, n elements
/// @param n   0 to 2^16
void sort_warps(const unsigned* in, unsigned* out, int n);

/// Part 3: sorts keys 1024 b to 1024 b + 1023, as far as they exist, for each b: a block does that.
/// @param in  device, n elements
/// @param out device, n elements
/// @param n   0 to 2^16
void sort_blocks(const unsigned* in, unsigned* out, int n);

/// Part 4: sorts all keys.
/// @param in      device, n elements
/// @param out     device, n elements
/// @param scratch device
/// @param n       0 to 2^20
void sort_keys(const unsigned* in, unsigned* out, unsigned* scratch, int n);

/// Part 5: sorts all keys, and their values with them. The sort is *stable*: values of equal keys stay in their order.
/// @param keys       device, n elements
/// @param values     device, n elements: value i belongs to key i
/// @param keys_out   device, n elements
/// @param values_out device, n elements
/// @param scratch    device
/// @param n          0 to 2^20
void sort_pairs(const unsigned* keys, const unsigned* values, unsigned* keys_out, unsigned* values_out,
                unsigned* scratch, int n);

/// Part 6: sorts signed numbers.
/// @param in      device, n elements
/// @param out     device, n elements
/// @param scratch device
/// @param n       0 to 2^20
void sort_ints(const int* in, int* out, unsigned* scratch, int n);

/// Part 6: sorts floats. No NaN is among them; infinities may be. -0.0f comes before 0.0f.
/// @param in      device, n elements
/// @param out     device, n elements
/// @param scratch device
/// @param n       0 to 2^20
void sort_floats(const float* in, float* out, unsigned* scratch, int n);

/// @}

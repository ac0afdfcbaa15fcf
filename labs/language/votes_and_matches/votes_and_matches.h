// The contract of exercise votes_and_matches: what the lanes of a warp learn of each other by one instruction.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup votes_and_matches Exercise votes_and_matches
/// What the lanes of a warp learn of each other by one instruction: votes, matches and reductions.
/// @{

/// One kernel. Warp w has elements 32 * w to 32 * w + 31, or what is left of them: there, fewer lanes take part. A warp
/// executes at most 80 instructions; `__popc(bits)` counts the bits of a ballot. All arrays are on the device.
/// @param in    `count` elements; only read
/// @param out   as many: the nonzero elements of each warp in their order, then its zeros
/// @param alike as many: how many elements of its warp equal in[i], itself included
/// @param sums  one for each warp: the sum of its elements
/// @param count 1 to 2^17
void survey(const int* in, int* out, int* alike, int* sums, int count);

/// Predicts what a call returns to `lane`, if the lanes whose bits are set in `members` make it, `lane` among them:
///   kind 0: __ballot_sync(members, lane % n == 0)         kind 1: __match_any_sync(members, lane % n)
///   kind 2: __match_all_sync(members, lane % n, &equal)   kind 3: __reduce_add_sync(members, lane)
///   kinds 4 to 8: __reduce_min_sync(members, lane), and the same with max, and, or, xor, in this order
/// n is 1 to 32. Bit 31 makes an int negative.
int predict(int kind, int lane, int n, int members);

/// @}

// The contract of exercise shuffles: values from other lanes, without memory.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup shuffles Exercise shuffles
/// Values from other lanes, without memory: `__shfl_sync`, `__shfl_up_sync`, `__shfl_down_sync`, `__shfl_xor_sync`.
/// @{

/// One kernel, in which each thread loads its own element, gets others from lanes of its warp, and stores three
/// results. Element i belongs to lane i % 32 of a warp. Arrays: device, `count` elements; `in` is only read.
/// @param differences `in[i]` minus the element of lane `leader` of the same warp
/// @param scans       in groups of 8 lanes: the sum of `in` from the first element of i's group to i
/// @param sums        the sum of the 32 elements of i's warp, the same in every lane, after 5 shuffles (a butterfly)
/// @param count       32 to 2^20, a multiple of 32
/// @param leader      0 to 31
void shuffle(const int* in, int* differences, int* scans, int* sums, int count, int leader);

/// Which lane does `lane` get its value from, if all 32 lanes call one of these with the same `n` and `width`?
///   kind 0: __shfl_sync(~0u, value, n, width)         kind 1: __shfl_up_sync(~0u, value, n, width)
///   kind 2: __shfl_down_sync(~0u, value, n, width)    kind 3: __shfl_xor_sync(~0u, value, n, width)
/// `width` divides the warp into groups. A lane whose source is not in its group gets its own value; but kind 0 takes
/// `n` modulo `width`, and kind 3 may reach an earlier group. `n` is 0 to 31, or, for kind 0, to 63; `width` 1, 2, 4,
/// 8, 16 or 32.
int source_lane(int kind, int lane, int n, int width);

/// @}

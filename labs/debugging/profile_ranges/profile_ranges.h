// The contract of exercise profile_ranges: a profile that holds what you look for, and no more.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup profile_ranges Exercise profile_ranges
/// cudaProfilerStart() and cudaProfilerStop() limit a profile to a region; ranges of NVTX, nvtxRangePushA("name") to
/// nvtxRangePop(), name parts of a program, and nest. `warpbook run` chooses launches by them, as ncu does. The
/// skeleton has the kernels; launch them with `count` blocks of one thread.
/// @{

/// Launches shift 3 times, scale `steps` times, and shift once more, all on `data`: device, `count` elements, 1 to
/// 2000; `steps` is 1 to 20. A profile with `--profile-from-start off` holds the launches of scale, and no other.
void focus(unsigned* data, int count, int steps);

/// Launches shift, then `steps` times shift and twice scale. A range "solve" is around all of it; there, each step has
/// a range "add" around its shift, then "double" around its scales. No range ends before its kernels have ended.
void annotate(unsigned* data, int count, int steps);

/// How many launches of annotate() does a profile hold? 0: --kernel-name scale, 1: --kernel-name sc: of kernels of just
/// this name; 2: --kernel-name regex:^s: in whose name it is found; 3: --launch-skip 3: all but the first 3. Others are
/// --nvtx-include: 4: solve/: in this range, which was pushed, at any depth; 5: solve: the same of nvtxRangeStartA();
/// 6: solve/double: in the second, directly in the first; 7: [double/: it is the outermost; 8: solve]: the innermost.
int launches(int option, int steps);
/// @}

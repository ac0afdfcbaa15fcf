// The contract of exercise profile_ranges: a profile that holds what you look for, and no more.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup profile_ranges Exercise profile_ranges
/// cudaProfilerStart() and cudaProfilerStop() limit a profile to a region; NVTX ranges, from nvtxRangePushA("name") to
/// nvtxRangePop(), name parts of a program, and nest. `warpbook run` chooses launches by them, as ncu does. The
/// skeleton has the kernels; launch them with `count` blocks of one thread.
/// @{

/// Launches shift 3 times, scale `steps` times, and shift once more, all on `data`: device, `count` elements, 1 to
/// 2000; `steps` is 1 to 20. A profile with `--profile-from-start off` has the launches of scale, and no others.
void focus(unsigned* data, int count, int steps);

/// Launches shift, then `steps` times shift and twice scale. A range "solve" is around all of it; in it, each step has
/// a range "add" around its shift, then "double" around its scales. No range ends before its kernels have ended.
void annotate(unsigned* data, int count, int steps);

/// How many launches of annotate() are in a profile? 0: --kernel-name scale, 1: --kernel-name sc: of kernels of exactly
/// this name; 2: --kernel-name regex:^s: if it matches in the name; 3: --launch-skip 3: all but the first 3. The others
/// are --nvtx-include: 4: solve/: in this pushed range, at any depth; 5: solve: in one of nvtxRangeStartA(); 6:
/// solve/double: in double, directly within solve; 7: [double/: where double is outermost; 8: solve]: innermost.
int launches(int option, int steps);
/// @}

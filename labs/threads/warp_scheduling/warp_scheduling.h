// The contract of exercise warp_scheduling: where and when do warps run?
#pragma once

#include "common/cuda/lab.h"

/// @defgroup warp_scheduling Exercise warp_scheduling
/// Where and when do warps run? The multiprocessor's number is in a special register: `asm volatile("mov.u32 %0,
/// %%smid;" : "=r"(number))`. `clock64()` counts the cycles of the multiprocessor on which the thread runs: two
/// readings can be compared only if they are of the same one.
/// @{

/// One kernel, in which each warp reads clock64() until 1000 cycles have gone by, without `__nanosleep(1000)`, which
/// may return at once; its lane 0 then writes to the warp's element, block * warps + (its warp in the block).
/// @param where  device, blocks x warps elements: the multiprocessor on which the warp runs
/// @param begin  device, as many: clock64() before it waits
/// @param end    device, as many: clock64() afterwards
/// @param blocks 1 to 500
/// @param warps  in a block, 1 to 32
void log_warps(int* where, long long* begin, long long* end, int blocks, int warps);

/// Is this true of every GPU and every launch?
///   1. Blocks begin in the order of blockIdx.         2. All warps of a block run on one multiprocessor.
///   3. Warps of a block end in the order of threadIdx. 4. All blocks of a grid run at the same time.
///   5. A block begins only when there is room for all of its warps.
///   6. end - begin of log_warps() counts the instructions in between.
/// @returns 1 if it is, 0 if not
int promised(int statement);

/// @}

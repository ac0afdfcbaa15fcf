// The contract of exercise hello_threads: which thread am I, and who prints first?
#pragma once

#include "common/cuda/lab.h"

/// @defgroup hello_threads Exercise hello_threads
/// Which thread am I, and who prints first? `__global__ void f(int* p) {...}` is a kernel, and
/// `f<<<blocks, threads>>>(p)` launches it: each of `blocks` x `threads` threads runs f once. What a kernel prints with
/// printf() goes into a buffer on the device, in the order in which threads reach the call. The host shows it, in this
/// order, when it waits for the kernel.
/// @{

/// Launches `blocks` blocks of `threads` threads. Each thread writes who it is to its own place in three arrays: thread
/// t of block b to element b * threads + t.
/// @param block  device, blocks x threads elements: the thread's block
/// @param warp   device, as many: its warp within the block. 32 consecutive threads are a warp; the first warp is 0
/// @param lane   device, as many: its lane, which is its place in the warp, 0 to 31
/// @param blocks 1 to 1000
/// @param threads in a block, 1 to 1024
void introduce(int* block, int* warp, int* lane, int blocks, int threads);

/// Does CUDA promise that line A is printed before line B? A kernel prints with printf(), the host with puts(); all
/// launches are on the default stream. `pair` is one of these:
///   1. A and B are printed by one thread, A first.
///   2. A is printed by thread 0, B by thread 1 of the same warp.
///   3. A is printed by block 0, B by block 1.
///   4. A is printed by a kernel, B by the kernel that is launched after it.
///   5. A is printed by a kernel, B by the host right after the launch.
///   6. The same, but the host calls cudaDeviceSynchronize() in between.
/// @returns 1 if it does, 0 if it does not
int comes_first(int pair);

/// @}

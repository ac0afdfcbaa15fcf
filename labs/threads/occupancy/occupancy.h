// The contract of lab occupancy: what the functions in occupancy.cu must do.
#pragma once

#include <cuda_runtime.h>

#include "common/cuda/lab.h"

/// @defgroup occupancy Lab occupancy
/// How many blocks a multiprocessor holds, what decides it, and when fewer are better.
/// @{

/// In which units a multiprocessor gives out what it has. `cudaDeviceProp` does not say it; these hold for compute
/// capability 8.0 to 9.0.
constexpr int kRegisterUnit = 256;     ///< Registers for a warp: a multiple of this.
constexpr int kRegisterFiles = 4;      ///< Equal parts of the registers. All those of a warp are in one part.
constexpr int kSharedUnit = 128;       ///< Bytes of shared memory for a block: a multiple of this.
constexpr int kSharedReserved = 1024;  ///< Bytes of each block for CUDA: reservedSharedMemPerBlock of an H200.

/// Part 1: how many blocks of a kernel run on one multiprocessor at the same time. It is what
/// cudaOccupancyMaxActiveBlocksPerMultiprocessor answers, but computed: the function calls nothing of CUDA.
/// @param device  any device: what counts is in maxThreadsPerMultiProcessor, maxBlocksPerMultiProcessor,
///                regsPerMultiprocessor, sharedMemPerMultiprocessor, sharedMemPerBlock, reservedSharedMemPerBlock
/// @param kernel  numRegs (1 to 255), sharedSizeBytes (its static shared memory) and maxDynamicSharedSizeBytes
/// @param threads of a block, 1 to 1024
/// @param dynamic_bytes dynamic shared memory of a block, 0 to 2^18
/// @returns 0 if not even one block fits, or if the block may not have so much: static and dynamic shared memory are at
///          most sharedMemPerBlock (48 KiB) together, or sharedSizeBytes + maxDynamicSharedSizeBytes if that is more,
///          for a kernel that has opted in to it
int blocks_per_multiprocessor(const cudaDeviceProp& device, const cudaFuncAttributes& kernel, int threads,
                              int dynamic_bytes);

/// Part 1: the other way round. The most registers that each thread may have, so that the 65,536 registers of a
/// multiprocessor are enough for `blocks` blocks of `threads` threads. It is what `__launch_bounds__(threads, blocks)`
/// allows the compiler.
/// @param threads of a block, 1 to 1024
/// @param blocks  1 or more; all of them have at most 64 warps
/// @returns at most 255, which is all that a thread can have
int most_registers(int threads, int blocks);

/// Part 1: shared memory and L1 cache of an H200 are 256 KiB together. Shared memory gets 0, 8, 16, 32, 64, 100, 132,
/// 164, 196 or 228 KiB of them (the *carve-out*): here the smallest of these that holds all blocks.
/// @param blocks       on the multiprocessor, 1 to 32
/// @param shared_bytes static and dynamic shared memory of one block, without the KiB that CUDA adds; all blocks
///                     together fit into 228 KiB with it
/// @returns KiB that are left for the L1 cache
int l1_kib(int blocks, int shared_bytes);

/// Part 2: how to launch a kernel.
struct Launch {
  int threads = 0;        ///< Of a block.
  int blocks = 0;         ///< As many as the whole device can run at the same time.
  int dynamic_bytes = 0;  ///< Dynamic shared memory of a block.
};

/// Part 2: the launch with which most threads of a kernel run at the same time. Its blocks need more shared memory the
/// more threads they have: `bytes_per_block + threads * bytes_per_thread`, which may be more than 48 KiB. After the
/// call, the kernel can be launched in this way. You may ask CUDA.
/// @param kernel          for cudaFuncGetAttributes(), cudaFuncSetAttribute() and cudaLaunchKernel()
/// @param bytes_per_block  0 to 65,536
/// @param bytes_per_thread 0 to 1024
/// @param most_threads    a multiple of 32, up to 1024. `threads` is a multiple of 32 and no more than this. Of block
///                        sizes with equally many threads at a time, the largest is taken.
/// @returns the launch; one block of 32 threads fits in any case
Launch choose_launch(const void* kernel, int bytes_per_block, int bytes_per_thread, int most_threads);

constexpr int kTaps = 32;   ///< Of the filter in parts 3 and 4.
constexpr int kStrip = 32;  ///< Rows that a thread of part 3 makes.

/// The weights of a filter. As a parameter of a kernel they are in constant memory, and cost no registers.
struct Taps {
  float weights[kTaps];  ///< Of rows r to r + 31.
};

/// Part 3: smooths each column: `out[r * columns + c]` is the sum of `taps.weights[k] * in[(r + k) * columns + c]` for
/// k = 0 to 31. The launch has blocks of `threads` threads, and each thread makes 32 rows of one column with the given
/// smooth_strip(). Its sums stay in registers. One kernel on the default stream does it all, and none is launched for
/// no rows.
/// @param in      device, (rows + 31) x columns elements; only read
/// @param out     device, rows x columns elements, all of which are written
/// @param rows    0 to 4096
/// @param columns 1 to 4096; rows x columns is at most 2^21
/// @param taps    whole numbers in all tests, as those of `in` are: all sums are exact
/// @param threads of a block, a multiple of 32, 32 to 1024
void smooth_any_block(const float* in, float* out, int rows, int columns, const Taps& taps, int threads);

/// Part 4: how many elements are loaded to smooth one column, if each thread makes `strip` rows (the last one what is
/// left) and loads each element that it needs once?
/// @param rows  0 to 4096
/// @param strip 1 to 64
int predict_loads(int rows, int strip);

/// Part 4: the same as part 3, with any blocks, and fast. There are at most 2.1 loads for each element of `out`, if its
/// columns are long. All values of a thread are in registers (none in shared or local memory), and 1024 threads and
/// more run on a multiprocessor at the same time.
/// @param in      device, (rows + 31) x columns elements
/// @param out     device, rows x columns elements
/// @param rows    0 to 4096
/// @param columns 1 to 4096
/// @param taps    whole numbers
void smooth(const float* in, float* out, int rows, int columns, const Taps& taps);

/// @}

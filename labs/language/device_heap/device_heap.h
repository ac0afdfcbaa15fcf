// The contract of exercise device_heap: memory that kernels allocate.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup device_heap Exercise device_heap
/// Memory that kernels allocate. `malloc` in a kernel takes memory from the heap of the device, 8 MiB in all by
/// default. It returns nullptr when none is left; what it returns is aligned to 16 bytes, uninitialised, and lives
/// until some thread, in whatever launch, calls `free`. The heap is made when the first kernel that uses it is loaded,
/// and then keeps its size. It is the kernels' own: calls of the host know nothing of it.
/// @{

/// One launch of `blocks` blocks of 64 threads. Each block allocates memory for its 64 x each elements, once, not once
/// for each thread, stores its address to places[block], and copies its elements there: those from block * 64 * each
/// on. The heap has room for all.
/// @param in     device, blocks x 64 x each elements; only read
/// @param places device, one for each block
/// @param blocks 1 to 100
/// @param each   1 to 16
void keep(const int* in, int** places, int blocks, int each);

/// A later launch, of as many blocks and threads: copies the elements of each block to `out`, in the order of `in`, and
/// frees the memory of each block.
void fetch(int** places, int* out, int blocks, int each);

/// Predicts which of these statements are true.
///   1. Memory of malloc() is freed when the kernel ends.     2. A thread may free what another one allocated.
///   3. cudaFree() of the host may free it.                   4. cudaMemcpy() of the host may copy it.
///   5. malloc() may return nullptr, and the kernel goes on.  6. cudaDeviceSetLimit() may enlarge the heap at any time.
/// @returns 1 if `statement` is true, 0 if not
int holds(int statement);

/// @}

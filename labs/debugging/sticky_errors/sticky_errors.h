// The contract of exercise sticky_errors: errors that can be cleared, errors that stay, and which call reports them.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup sticky_errors Exercise sticky_errors
/// A call or launch that CUDA refuses has done nothing: its error is cleared when cudaGetLastError() has returned it. A
/// kernel that fails while it runs takes the device with it: from the moment a call has noticed, every call fails with
/// the same error, until the process ends. That error is *sticky*. cudaDeviceReset() is no way out: on an H200 it
/// returns 0, and the next cudaMalloc() fails with cudaErrorDevicesUnavailable. When a sticky error is noticed depends
/// on who waits: a launch does not, unless CUDA_LAUNCH_BLOCKING=1 is in the environment. Then each launch waits, so
/// that the error is reported where it belongs. That is slow, and for finding bugs only.
/// @{

/// What goes wrong.
enum Mistake {
  large_fill,    ///< cudaMemset fills 4 MiB of memory of which 1 KiB was allocated.
  large_block,   ///< A launch has a block of 2048 threads.
  null_pointer,  ///< A kernel writes through a null pointer.
  no_mistake     ///< Nothing does.
};

/// Makes the mistake, then these calls in this order: 0: cudaGetLastError(), 1: cudaDeviceSynchronize(),
/// 2: cudaGetLastError(), 3: cudaMalloc() of a few bytes, which need not be freed.
/// @returns the error that call number `call` returned, 0 to 3
int observe(int mistake, int call);

/// Predicts what observe() returns in a new process, after one of the mistakes: 0, cudaErrorInvalidValue (1) or
/// cudaErrorIllegalAddress (700). CUDA 13 has no error of its own for blocks that are too large; older versions had
/// cudaErrorInvalidConfiguration.
/// @param blocking 1 if CUDA_LAUNCH_BLOCKING is 1, else 0
int predict(int mistake, int call, int blocking);

/// Makes the mistake, and leaves no error for the next call of cudaGetLastError(), where it can be cleared.
/// @returns 1 if the process has to end, as no call will succeed; else 0
int is_lost(int mistake);

/// @}

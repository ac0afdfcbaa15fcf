// The contract of exercise error_handling: errors that are found where they come from.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup error_handling Exercise error_handling
/// Every call of CUDA returns an error. A launch returns none: it leaves one for cudaGetLastError(), which returns it
/// and clears it. The kernel itself fails later: the next call that waits for it returns the error.
///
/// First write a macro CHECK(call) in your file, which throws the error that `call` returns. It evaluates `call` once:
/// a second cudaGetLastError() returns cudaSuccess.
/// @{

/// Copies `in` to memory of its own, of which a kernel writes the squares to `out`, and waits. The program in your file
/// does so with two bugs, and looks at no error. Put CHECK around every call, and CHECK(cudaGetLastError()) after the
/// launch: then you learn which call fails, with which error. Fix both bugs. Even after an error, call cudaFree() for
/// what was allocated; it fails, as every call does, once a kernel has failed. An error that can be cleared is not left
/// for the next call of cudaGetLastError().
/// @param in, out  device, `count` elements, 1 to 2^16; a test gives an `out` that is too short, and expects the error
/// @param threads  in a block: 1 to 1024; CUDA refuses more, and tests ask for up to 4096
/// @returns the first error of a call, of the launch or of the kernel; 0 if there was none
int squares(const int* in, int* out, int count, int threads);

/// What CHECK reports of the program as you got it (bug 0), and with only the first bug fixed (bug 1), for 1000
/// elements and 256 threads.
/// @param place 0: the error, as a number: cudaErrorInvalidValue, ...; 1: the call that returned it: 0 cudaMalloc, 1
/// cudaMemcpy, 2 cudaGetLastError, 3 cudaDeviceSynchronize, 4 cudaFree
int found(int bug, int place);

/// @}

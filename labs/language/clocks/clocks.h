// The contract of exercise clocks: the clock of a multiprocessor, and what is between two readings of it.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup clocks Exercise clocks
/// The clock of a multiprocessor, and what is between two readings of it. `clock64()` counts the cycles of the
/// multiprocessor on which the thread runs: the difference of a thread's two readings is how long it took, waiting
/// included. The device attribute `cudaDevAttrClockRate` is the clock rate in kHz: cycles in a millisecond.
/// @{

/// Each thread waits until `us` microseconds have passed since it began: us times the device's clock rate, by its own
/// clock, not by `%globaltimer`. It stores how many cycles it then found to have passed. The kernel takes at most 10
/// microseconds longer.
/// @param cycles device, blocks x threads elements
/// @param us     1 to 100
/// @param blocks, threads 1 to 40 blocks, of 1 to 64 threads each
void wait(long long* cycles, int us, int blocks, int threads);

/// Predicts how many PTX instructions nvcc leaves between the two readings of the clock in kernel n of kProgram. (The
/// assembler, which comes after, may move more.) One instruction can multiply and add; what has no effect is left out.
/// Predict, then look: `nvcc -arch=sm_90 -ptx x.cu`, with kProgram in x.cu, makes x.ptx. Count from one line with
/// `%clock64` to the next, without comments.
int between(int n);
inline constexpr const char* kProgram = R"(
#define KERNEL(name) extern "C" __global__ void name(long long* t, int* p, volatile int* v, int x)
KERNEL(k1) { auto begin = clock64(); int y = x * x + 7; *t = clock64() - begin; *p = y; }
KERNEL(k2) { auto begin = clock64(); int y = x * x + 7; *t = clock64() - begin; }
KERNEL(k3) { auto begin = clock64(); int y = 3 * 3 + 7; *t = clock64() - begin; *p = y; }
KERNEL(k4) { auto begin = clock64(); int y = *p + x;    *t = clock64() - begin; *p = y; }
KERNEL(k5) { auto begin = clock64(); int y = *p;        *t = clock64() - begin; }
KERNEL(k6) { auto begin = clock64(); int y = *v;        *t = clock64() - begin; }
KERNEL(k7) { auto begin = clock64(); *p = x; *p = x;    *t = clock64() - begin; }
KERNEL(k8) { auto begin = clock64(); *v = x; *v = x;    *t = clock64() - begin; }
KERNEL(k9) { auto begin = clock64(); __syncthreads();   *t = clock64() - begin; }
)";

/// @}

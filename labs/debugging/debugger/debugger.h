// The contract of exercise debugger: what a debugger shows of a kernel that is wrong, and the right kernel.
#pragma once

#include "common/cuda/lab.h"

/// @defgroup debugger Exercise debugger
/// The kernel in the skeleton is wrong. Find out where by a debugger, from the wrong result back to who made it:
/// @verbatim
/// cd labs/debugging/debugger
/// nvcc -std=c++20 -G -arch=sm_90 -cudart shared -DWITH_MAIN -I../../.. -o /tmp/smooth debugger.cu
/// warpbook debug -- /tmp/smooth
/// (warpbook) break debugger.cu:N if i == 65        N: the line of statement E
/// (warpbook) run, print sum, print tile[1]@3, watch tile[1], reverse-continue, continue: docs/debugger.md
/// @endverbatim
/// @{

/// Stores in out[i] the sum of in[i - 1], in[i] and in[i + 1], those that there are.
/// @param in, out device, `count` elements, 1 to 2^16; in is only read
void smooth(const int* in, int* out, int count);

/// What the debugger shows of the kernel as it was in the skeleton:
///   0: `sum` of the thread with i == 65, at E
///   1: which thread of its block, by threadIdx.x, wrote tile[1] last
///   2: in which statement, A to E (1 to 5)
///   3: what tile[1] was before
///   4: `sum` of the thread with i == 133, before statement D if k == 2
///   5: how often the program stops at E if sum > 200
int found(int question);
/// @}

#ifdef WITH_MAIN
#include <cstdio>

int main() {
  int *in, *out, sum = 0;
  cudaMallocManaged(&in, 200 * sizeof(int));
  cudaMallocManaged(&out, 200 * sizeof(int));
  for (int i = 0; i < 200; ++i) in[i] = i * 37 % 101;
  smooth(in, out, 200);
  cudaDeviceSynchronize();
  for (int i = 1; i < 199; ++i)
    if ((sum = in[i - 1] + in[i] + in[i + 1]) != out[i]) std::printf("out[%d] is %d, not %d\n", i, out[i], sum);
}
#endif

// Exercise loop_unrolling: what a loop costs beside its body. loop_unrolling.h says what each function must do.
#include "common/cuda/check.cuh"
#include "loop_unrolling.h"

__global__ void iterate_kernel(const int* in, int* out, int count, int steps, int c) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  unsigned x = in[i];
#pragma unroll 1  // TODO(student): change this line: it costs 4 instructions a step.
  for (int step = 0; step < steps; ++step) x = x * x + c;
  out[i] = static_cast<int>(x);
}

void iterate(const int* in, int* out, int count, int steps, int c) {
  warpbook::not_started();  // TODO(student): delete this line. The rest is as it should be.
  iterate_kernel<<<(count + 127) / 128, 128>>>(in, out, count, steps, c);
  WB_CHECK(cudaGetLastError());
}

int instructions(int body, int steps, int n) {
  warpbook::not_started();  // TODO(student): one line in place of this one.
}

// Exercise debugger: what a debugger shows of a kernel that is wrong. See debugger.h.
#include "common/cuda/check.cuh"
#include "debugger.h"

__global__ void smooth_kernel(const int* in, int* out, int count) {
  __shared__ int tile[66];  // tile[t + 1] is the element of thread t; at both ends are neighbours.
  const int t = threadIdx.x, i = blockIdx.x * 64 + t;
  tile[t + 1] = i < count ? in[i] : 0;  // A

  // BEGIN SOLUTION
  // SKELETON: if (t % 32 == 0) tile[t / 32] = i > 0 && i <= count ? in[i - 1] : 0;  // B
  // TODO(student): one of these statements is wrong. Fix it when you have answered all questions.
  if (t == 0) tile[0] = i > 0 ? in[i - 1] : 0;  // B
  // END SOLUTION
  if (t == 63) tile[65] = i + 1 < count ? in[i + 1] : 0;  // C
  __syncthreads();
  int sum = 0;
  for (int k = 0; k < 3; ++k) {
    sum += tile[t + k];  // D
  }
  if (i < count) out[i] = sum;  // E
}

void smooth(const int* in, int* out, int count) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): delete this line.
  // END SOLUTION
  smooth_kernel<<<(count + 63) / 64, 64>>>(in, out, count);
  WB_CHECK(cudaGetLastError());
}

int found(int question) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): a number for each question. (1 line)
  return (int[]){181, 32, 2, 45, 109, 5}[question];
  // END SOLUTION
}

// Up and down a tree in shared memory: 1024 numbers by 512 threads. With kPad, one word in 33 is left free, so that
// places a power of two apart lie in different banks.
#include "grader/labs/patterns/scan/rungs/phases.cuh"

template <bool kPad>
__global__ void trees_kernel(const int* in, int* out, int* sums, int n) {
  __shared__ int data[kGroup + kGroup / 32];
  const auto at = [&](int i) -> int& { return data[kPad ? i + i / 32 : i]; };
  const int k = threadIdx.x, first = blockIdx.x * kGroup;
  for (int i = k; i < kGroup; i += 512) at(i) = first + i < n ? in[first + i] : 0;
  for (int s = 1; s <= 512; s *= 2) {
    __syncthreads();
    const int i = 2 * s * (k + 1) - 1;
    if (i < kGroup) at(i) += at(i - s);
  }
  for (int s = 256; s >= 1; s /= 2) {
    __syncthreads();
    const int i = 2 * s * (k + 1) - 1;
    if (i + s < kGroup) at(i + s) += at(i);
  }
  __syncthreads();
  for (int i = k; i < kGroup; i += 512)
    if (first + i < n) out[first + i] = at(i);
  if (k == 0) sums[blockIdx.x] = at(kGroup - 1);
}

template <bool kPad>
void scan_groups_by_trees(const int* in, int* out, int* sums, int n) {
  trees_kernel<kPad><<<(n + kGroup - 1) / kGroup, 512>>>(in, out, sums, n);
}

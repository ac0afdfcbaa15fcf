// As books do it: a grid of one thread for each part, two children for it, each in a stream of its own.
#include "grader/labs/patterns/quicksort/rungs/solution.cuh"

constexpr int kFew = 32, kDeepest = 24;

__device__ void sort_by_selection(unsigned* keys, int count) {
  for (int i = 0; i < count; ++i) {
    int least = i;
    for (int j = i + 1; j < count; ++j)
      if (keys[j] < keys[least]) least = j;
    const unsigned key = keys[least];
    keys[least] = keys[i], keys[i] = key;
  }
}

__global__ void one_thread_kernel(unsigned* keys, int count, int depth) {
  if (count <= kFew || depth == kDeepest) return sort_by_selection(keys, count);
  const unsigned pivot = keys[count / 2];
  int left = 0, right = count - 1;
  while (left <= right) {
    while (keys[left] < pivot) ++left;
    while (keys[right] > pivot) --right;
    if (left > right) break;
    const unsigned key = keys[left];
    keys[left++] = keys[right], keys[right--] = key;
  }
  for (const bool lower : {true, false}) {
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    if (lower)
      one_thread_kernel<<<1, 1, 0, stream>>>(keys, right + 1, depth + 1);
    else
      one_thread_kernel<<<1, 1, 0, stream>>>(keys + left, count - left, depth + 1);
    cudaStreamDestroy(stream);
  }
}

void quicksort(unsigned* keys, unsigned*, int count, Pivot) {
  WB_CHECK(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 16384));
  one_thread_kernel<<<1, 1>>>(keys, count, 0);
}

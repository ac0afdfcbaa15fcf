// Dynamic parallelism: a quicksort whose blocks launch sorts of their halves; small parts are sorted in place.
#include <algorithm>

#include "sample.h"

namespace {

constexpr int kSmall = 32, kDeepest = 12;

__device__ void insertion_sort(int* values, int count) {
  for (int i = 1; i < count; ++i) {
    const int value = values[i];
    int k = i;
    for (; k > 0 && values[k - 1] > value; --k) values[k] = values[k - 1];
    values[k] = value;
  }
}

__global__ void quicksort(int* values, int count, int depth) {
  if (count <= kSmall || depth >= kDeepest) return insertion_sort(values, count);
  const int pivot = values[count / 2];
  int left = 0, right = count - 1;
  while (left <= right) {
    while (values[left] < pivot) ++left;
    while (values[right] > pivot) --right;
    if (left <= right) {
      const int value = values[left];
      values[left++] = values[right];
      values[right--] = value;
    }
  }
  if (right >= 0) quicksort<<<1, 1, 0, cudaStreamFireAndForget>>>(values, right + 1, depth + 1);
  if (left < count) quicksort<<<1, 1, 0, cudaStreamFireAndForget>>>(values + left, count - left, depth + 1);
}

__global__ void check(const int* values, int count, int* wrong) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < count && values[i] > values[i + 1]) atomicAdd(wrong, 1);
}

/// Sorts, and checks when all children have finished.
__global__ void sort_and_check(int* values, int count, int* wrong) {
  quicksort<<<1, 1>>>(values, count, 0);
  check<<<(count + 255) / 256, 256, 0, cudaStreamTailLaunch>>>(values, count, wrong);
}

}  // namespace

int main() {
  sample::Numbers numbers(24);
  std::vector<int> host(1500);
  for (int& value : host) value = numbers.below(100000);
  sample::Device<int> values(host), wrong(1);
  sort_and_check<<<1, 1>>>(values, 1500, wrong);
  FINISH();
  std::sort(host.begin(), host.end());
  sample::compare("sorted", values.get(), host);
  sample::compare("out of order", wrong.get()[0], 0);
  return sample::passed();
}

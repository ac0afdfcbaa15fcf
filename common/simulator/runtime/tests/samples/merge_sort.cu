// A merge sort: every thread finds its element's place in the other run by binary search, or its part of a merge path.
#include <algorithm>

#include "sample.h"

namespace {

/// The number of elements of @p run less than @p value; including equal ones if @p or_equal.
__device__ int before(const int* run, int length, int value, bool or_equal) {
  int low = 0, high = length;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (run[middle] < value || (or_equal && run[middle] == value))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

__global__ void merge_runs(const int* in, int* out, int count, int run) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const int pair = i / (2 * run) * 2 * run, middle = min(pair + run, count), end = min(pair + 2 * run, count);
  const bool left = i < middle;
  const int rank = left ? i - pair + before(in + middle, end - middle, in[i], false)
                        : i - middle + before(in + pair, middle - pair, in[i], true);
  out[pair + rank] = in[i];
}

/// Where diagonal @p d crosses the merge path.
__device__ int crossing(const int* a, int na, const int* b, int nb, int d) {
  int low = max(0, d - nb), high = min(d, na);
  while (low < high) {
    const int middle = (low + high) / 2;
    if (a[middle] <= b[d - 1 - middle])
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

__global__ void merge_by_path(const int* a, int na, const int* b, int nb, int* out, int each) {
  const int d = (blockIdx.x * blockDim.x + threadIdx.x) * each;
  if (d >= na + nb) return;
  int i = crossing(a, na, b, nb, d), j = d - i;
  for (int k = d; k < min(d + each, na + nb); ++k) out[k] = j >= nb || (i < na && a[i] <= b[j]) ? a[i++] : b[j++];
}

}  // namespace

int main() {
  sample::Numbers numbers(8);
  constexpr int kCount = 5003;
  std::vector<int> host(kCount);
  for (int& value : host) value = numbers.below(3000);
  sample::Device<int> a(host), b(kCount);
  int *from = a, *to = b;
  for (int run = 1; run < kCount; run *= 2, std::swap(from, to)) merge_runs<<<40, 128>>>(from, to, kCount, run);
  FINISH();
  std::vector<int> got(kCount);
  CUDA(cudaMemcpy(got.data(), from, kCount * sizeof(int), cudaMemcpyDeviceToHost));
  std::sort(host.begin(), host.end());
  sample::compare("sorted", got, host);

  std::vector<int> other(1777), both;
  for (int i = 0; i < 1777; ++i) other[i] = i * 2;
  std::merge(host.begin(), host.end(), other.begin(), other.end(), std::back_inserter(both));
  sample::Device<int> device_other(other), merged(both.size());
  merge_by_path<<<8, 64>>>(from, kCount, device_other, 1777, merged, 14);
  FINISH();
  sample::compare("merged by path", merged.get(), both);
  return sample::passed();
}

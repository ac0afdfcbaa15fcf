// Programs that use the toolkit's own libraries (Thrust, CUB): sorts, scans and sums, whose blocks wait for one
// another.
#include <thrust/device_vector.h>
#include <thrust/scan.h>
#include <thrust/sort.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "check.h"

namespace {

std::vector<int> scattered(int count) {
  std::vector<int> values(count);
  unsigned state = 1;
  for (int& value : values) value = static_cast<int>((state = state * 1664525 + 1013904223) >> 8);
  return values;
}

template <class T>
std::vector<T> back(const thrust::device_vector<T>& device) {
  std::vector<T> host(device.size());
  thrust::copy(device.begin(), device.end(), host.begin());
  return host;
}

}  // namespace

int main() {
  constexpr int kCount = 100000;
  std::vector<int> host = scattered(kCount);
  thrust::device_vector<int> device(host.begin(), host.end());
  CHECK(thrust::reduce(device.begin(), device.end(), 0LL) == std::accumulate(host.begin(), host.end(), 0LL));
  thrust::sort(device.begin(), device.end());
  std::sort(host.begin(), host.end());
  CHECK(back(device) == host);
  thrust::inclusive_scan(device.begin(), device.end(), device.begin(), thrust::maximum<int>());
  CHECK(back(device) == host);
  thrust::device_vector<int> ones(kCount, 1);
  thrust::exclusive_scan(ones.begin(), ones.end(), ones.begin());
  std::vector<int> counted(kCount);
  std::iota(counted.begin(), counted.end(), 0);
  CHECK(back(ones) == counted);
  SUCCEEDS(cudaDeviceSynchronize());
  return report();
}

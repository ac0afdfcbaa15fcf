// Thrust: sorts, reductions, scans and algorithms built on them, on vectors, fancy iterators and raw pointers.
#include <thrust/adjacent_difference.h>
#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/extrema.h>
#include <thrust/gather.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/merge.h>
#include <thrust/partition.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/scatter.h>
#include <thrust/sequence.h>
#include <thrust/set_operations.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/unique.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "sample.h"

namespace {

struct Odd {
  __host__ __device__ bool operator()(int value) const { return value % 2 != 0; }
};
struct Square {
  __host__ __device__ long long operator()(int value) const { return static_cast<long long>(value) * value; }
};
struct Saxpy {
  float a;
  __host__ __device__ float operator()(float x, float y) const { return a * x + y; }
};
struct ByLastDigit {
  __host__ __device__ bool operator()(int a, int b) const { return a % 10 < b % 10; }
};

template <class T>
std::vector<T> back(const thrust::device_vector<T>& device) {
  std::vector<T> host(device.size());
  thrust::copy(device.begin(), device.end(), host.begin());
  return host;
}

}  // namespace

int main() {
  constexpr int kCount = 10007;
  sample::Numbers numbers(12);
  std::vector<int> host(kCount);
  for (int& value : host) value = numbers.below(5000);
  const thrust::device_vector<int> input(host.begin(), host.end());

  // Sort by key, stable sort with a custom comparison, and a part through a raw pointer.
  std::vector<int> places(kCount);
  std::iota(places.begin(), places.end(), 0);
  std::stable_sort(places.begin(), places.end(), [&](int a, int b) { return host[a] < host[b]; });
  thrust::device_vector<int> keys = input, values(kCount);
  thrust::sequence(values.begin(), values.end());
  thrust::stable_sort_by_key(keys.begin(), keys.end(), values.begin());
  sample::compare("stable_sort_by_key", back(values), places);
  std::vector<int> sorted = host;
  std::sort(sorted.begin(), sorted.end());
  sample::compare("keys", back(keys), sorted);
  std::vector<int> digits = host;
  std::stable_sort(digits.begin(), digits.end(), ByLastDigit());
  thrust::device_vector<int> by_digit = input;
  thrust::stable_sort(by_digit.begin(), by_digit.end(), ByLastDigit());
  sample::compare("stable_sort with a comparison", back(by_digit), digits);

  // Runs of equal keys.
  std::map<int, int> counted;
  for (const int value : host) ++counted[value];
  thrust::device_vector<int> run_keys(kCount), run_counts(kCount);
  const auto ends = thrust::reduce_by_key(keys.begin(), keys.end(), thrust::make_constant_iterator(1), run_keys.begin(),
                                          run_counts.begin());
  run_keys.resize(ends.first - run_keys.begin());
  run_counts.resize(ends.second - run_counts.begin());
  std::vector<int> different, counts;
  for (const auto& [value, count] : counted) different.push_back(value), counts.push_back(count);
  sample::compare("reduce_by_key", back(run_counts), counts);
  thrust::device_vector<int> once = keys;
  once.erase(thrust::unique(once.begin(), once.end()), once.end());
  sample::compare("unique", back(once), different);

  // Selection and partitioning.
  thrust::device_vector<int> chosen(kCount);
  chosen.resize(thrust::copy_if(input.begin(), input.end(), chosen.begin(), Odd()) - chosen.begin());
  std::vector<int> odd;
  std::copy_if(host.begin(), host.end(), std::back_inserter(odd), Odd());
  sample::compare("copy_if", back(chosen), odd);
  thrust::device_vector<int> divided = input;
  thrust::stable_partition(divided.begin(), divided.end(), Odd());
  std::vector<int> halves = host;
  std::stable_partition(halves.begin(), halves.end(), Odd());
  sample::compare("stable_partition", back(divided), halves);
  sample::compare<long long>("count_if", thrust::count_if(input.begin(), input.end(), Odd()), odd.size());

  // Reductions and scans.
  long long squares = 0;
  for (const int value : host) squares += Square()(value);
  sample::compare("transform_reduce",
                  thrust::transform_reduce(input.begin(), input.end(), Square(), 0LL, thrust::plus<long long>()),
                  squares);
  const auto least_and_greatest = thrust::minmax_element(input.begin(), input.end());
  const auto wanted = std::minmax_element(host.begin(), host.end());
  sample::compare<long long>("where the least is", least_and_greatest.first - input.begin(),
                             wanted.first - host.begin());
  sample::holds("the greatest", *least_and_greatest.second == *wanted.second);
  thrust::device_vector<int> sums(kCount);
  thrust::exclusive_scan(input.begin(), input.end(), sums.begin(), 100);
  std::vector<int> host_sums(kCount);
  std::exclusive_scan(host.begin(), host.end(), host_sums.begin(), 100);
  sample::compare("exclusive_scan", back(sums), host_sums);
  thrust::adjacent_difference(sums.begin(), sums.end(), sums.begin());
  std::adjacent_difference(host_sums.begin(), host_sums.end(), host_sums.begin());
  sample::compare("adjacent_difference", back(sums), host_sums);

  // Merge, intersection, search, gather.
  thrust::device_vector<int> fives(2000), both(kCount + 2000);
  thrust::sequence(fives.begin(), fives.end(), 0, 5);
  std::vector<int> host_fives(2000), host_both;
  for (int i = 0; i < 2000; ++i) host_fives[i] = 5 * i;
  thrust::merge(keys.begin(), keys.end(), fives.begin(), fives.end(), both.begin());
  std::merge(sorted.begin(), sorted.end(), host_fives.begin(), host_fives.end(), std::back_inserter(host_both));
  sample::compare("merge", back(both), host_both);
  both.resize(thrust::set_intersection(once.begin(), once.end(), fives.begin(), fives.end(), both.begin()) -
              both.begin());
  host_both.clear();
  std::set_intersection(different.begin(), different.end(), host_fives.begin(), host_fives.end(),
                        std::back_inserter(host_both));
  sample::compare("set_intersection", back(both), host_both);
  thrust::device_vector<int> found(fives.size());
  thrust::lower_bound(keys.begin(), keys.end(), fives.begin(), fives.end(), found.begin());
  std::vector<int> host_found;
  for (const int five : host_fives)
    host_found.push_back(std::lower_bound(sorted.begin(), sorted.end(), five) - sorted.begin());
  sample::compare("lower_bound", back(found), host_found);
  thrust::device_vector<int> gathered(kCount), scattered(kCount);
  thrust::gather(values.begin(), values.end(), input.begin(), gathered.begin());
  sample::compare("gather", back(gathered), sorted);
  thrust::scatter(gathered.begin(), gathered.end(), values.begin(), scattered.begin());
  sample::compare("scatter", back(scattered), host);

  // Floating point, pairs, user-provided memory.
  std::vector<float> x(1000), y(1000), z(1000);
  for (int i = 0; i < 1000; ++i) x[i] = i * 0.25f, y[i] = 3.0f * i, z[i] = 2.0f * x[i] + y[i];
  sample::Device<float> raw_x(x), raw_y(y);
  const thrust::device_ptr<float> first = thrust::device_pointer_cast(raw_y.data());
  const thrust::device_ptr<float> other = thrust::device_pointer_cast(raw_x.data());
  thrust::transform(other, other + 1000, first, first, Saxpy{2.0f});
  sample::compare("transform of raw pointers", raw_y.get(), z);
  const auto pairs = thrust::make_zip_iterator(keys.begin(), values.begin());
  const int last_key = thrust::get<0>(pairs[kCount - 1]);
  sample::compare("zip_iterator", last_key, sorted.back());
  const auto squared = thrust::make_transform_iterator(thrust::counting_iterator<int>(1), Square());
  sample::compare("counting and transform iterators", thrust::reduce(squared, squared + 1000, 0LL), 333833500LL);
  return sample::passed();
}

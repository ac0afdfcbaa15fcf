// Sums and flags in global memory: between threads and blocks, with and without atomics, in one kernel and in two.
#include "case.h"

namespace {

constexpr int kThreads = 64, kBlocks = 4, kCount = kThreads * kBlocks;

__device__ int place() { return static_cast<int>(blockIdx.x * kThreads + threadIdx.x); }

__global__ void plain_sum(const int* in, int* sum) {
  *sum += in[place()];  // race: plain_sum
}
CASE(plain_sum, race) {
  Device<int> in(numbers(kCount)), sum(1, 0);
  plain_sum<<<kBlocks, kThreads>>>(in, sum);
  return done();
}

__global__ void atomic_sum(const int* in, int* sum) { atomicAdd(sum, in[place()]); }
CASE(atomic_sum, clean) {
  Device<int> in(numbers(kCount)), sum(1, 0);
  atomic_sum<<<kBlocks, kThreads>>>(in, sum);
  return done(sum.are([](int) { return kCount * (kCount - 1) / 2; }));
}

/// One thread of each block adds: the blocks still race.
__global__ void plain_sum_of_one_thread_each(const int* in, int* sum) {
  if (threadIdx.x == 0) *sum += in[blockIdx.x];  // race: plain_sum_of_one_thread_each
}
CASE(plain_sum_of_one_thread_each, race) {
  Device<int> in(numbers(kBlocks)), sum(1, 0);
  plain_sum_of_one_thread_each<<<kBlocks, kThreads>>>(in, sum);
  return done();
}

__global__ void one_cell_for_each_block(const int* in, int* sums) {
  __shared__ int sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, in[place()]);
  __syncthreads();
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}
CASE(one_cell_for_each_block, clean) {
  Device<int> in(kCount, 2), sums(kBlocks);
  one_cell_for_each_block<<<kBlocks, kThreads>>>(in, sums);
  return done(sums.are([](int) { return 2 * kThreads; }));
}

/// A floating-point sum built from compare-and-swap.
__global__ void sum_by_compare_and_swap(double* sum) {
  auto* bits = reinterpret_cast<unsigned long long*>(sum);
  unsigned long long seen = 0, wanted;
  do {
    wanted = seen;
    seen = atomicCAS(bits, wanted, __double_as_longlong(__longlong_as_double(wanted) + threadIdx.x));
  } while (seen != wanted);
}
CASE(sum_by_compare_and_swap, clean) {
  Device<double> sum(1, 0.0);
  sum_by_compare_and_swap<<<kBlocks, kThreads>>>(sum);
  return done(sum.are([](int) { return kBlocks * kThreads * (kThreads - 1) / 2.0; }));
}

__global__ void largest_by_compare_and_store(const int* in, int* largest) {
  const int value = in[place()];
  if (value > *largest)  // race: largest_by_compare_and_store
    *largest = value;    // race: largest_by_compare_and_store
}
CASE(largest_by_compare_and_store, race) {
  Device<int> in(numbers(kCount)), largest(1, -1);
  largest_by_compare_and_store<<<kBlocks, kThreads>>>(in, largest);
  return done();
}

__global__ void largest_by_atomic(const int* in, int* largest) { atomicMax(largest, in[place()]); }
CASE(largest_by_atomic, clean) {
  Device<int> in(numbers(kCount)), largest(1, -1);
  largest_by_atomic<<<kBlocks, kThreads>>>(in, largest);
  return done(largest.are([](int) { return kCount - 1; }));
}

/// Some threads add atomically, one reads with a plain load.
__global__ void plain_load_beside_atomics(int* sum, int* out) {
  if (blockIdx.x == 0)
    *out = *sum;  // race: plain_load_beside_atomics
  else
    atomicAdd(sum, 1);  // race: plain_load_beside_atomics
}
CASE(plain_load_beside_atomics, race) {
  Device<int> sum(1, 0), out(1);
  plain_load_beside_atomics<<<kBlocks, 1>>>(sum, out);
  return done();
}

__global__ void atomic_load_beside_atomics(int* sum, int* out) {
  if (blockIdx.x == 0)
    *out = atomicAdd(sum, 0);
  else
    atomicAdd(sum, 1);
}
CASE(atomic_load_beside_atomics, clean) {
  Device<int> sum(1, 0), out(1, -1);
  atomic_load_beside_atomics<<<kBlocks, 1>>>(sum, out);
  return done(sum.are([](int) { return kBlocks - 1; }) && out.values()[0] >= 0);
}

/// Each block stores one element more than its share.
__global__ void shares_that_overlap(int* out) {
  for (int i = threadIdx.x; i <= kThreads; i += 32)
    out[blockIdx.x * kThreads + i] = 1000 * blockIdx.x + i;  // race: shares_that_overlap
}
CASE(shares_that_overlap, race) {
  Device<int> out(kCount + 1);
  shares_that_overlap<<<kBlocks, 32>>>(out);
  return done();
}

__global__ void shares_side_by_side(int* out) {
  for (int i = threadIdx.x; i < kThreads; i += 32) out[blockIdx.x * kThreads + i] = 1000 * blockIdx.x + i;
}
CASE(shares_side_by_side, clean) {
  Device<int> out(kCount);
  shares_side_by_side<<<kBlocks, 32>>>(out);
  return done(out.are([](int i) { return 1000 * (i / kThreads) + i % kThreads; }));
}

/// Bytes of one word that belong to several blocks.
__global__ void bytes_of_several_blocks(unsigned char* out) {
  out[threadIdx.x * kBlocks + blockIdx.x] = static_cast<unsigned char>(threadIdx.x);
}
CASE(bytes_of_several_blocks, clean) {
  Device<unsigned char> out(kCount);
  bytes_of_several_blocks<<<kBlocks, kThreads>>>(out);
  return done(out.are([](int i) { return i / kBlocks; }));
}

/// An in-place stencil: neighbours may have stored before they are read.
__global__ void stencil_in_place(int* row) {
  const int i = place();
  const int left = i > 0 ? row[i - 1] : 0;  // race: stencil_in_place
  row[i] = left + 10 * i;                   // race: stencil_in_place
}
CASE(stencil_in_place, race) {
  Device<int> row(numbers(kCount));
  stencil_in_place<<<kBlocks, kThreads>>>(row);
  return done();
}

__global__ void stencil_into_another_row(const int* row, int* out) {
  const int i = place();
  out[i] = (i > 0 ? row[i - 1] : 0) + 10 * i;
}
CASE(stencil_into_another_row, clean) {
  Device<int> row(numbers(kCount)), out(kCount);
  stencil_into_another_row<<<kBlocks, kThreads>>>(row, out);
  stencil_into_another_row<<<kBlocks, kThreads>>>(out, row);
  return done(row.are([](int i) { return (i > 1 ? i - 2 : 0) + (i > 0 ? 10 * (i - 1) : 0) + 10 * i; }));
}

/// Each thread has its own elements, in all rounds of the grid-stride loop.
__global__ void own_elements_in_strides(int* values) {
  for (int round = 0; round < 3; ++round)
    for (int i = place(); i < 2 * kCount; i += kCount) values[i] = values[i] * 2 + round;
}
CASE(own_elements_in_strides, clean) {
  Device<int> values(2 * kCount, 1);
  own_elements_in_strides<<<kBlocks, kThreads>>>(values);
  return done(values.are([](int) { return 12; }));
}

/// All threads that find it store the same value.
__global__ void found_flag(const int* in, int* found) {
  if (in[place()] % 7 == 3) *found = 1;  // race: found_flag
}
CASE(found_flag, race_same_value) {
  Device<int> in(numbers(kCount)), found(1, 0);
  found_flag<<<kBlocks, kThreads>>>(in, found);
  return done();
}

/// The stored index differs between the threads.
__global__ void found_index(const int* in, int* found) {
  if (in[place()] % 7 == 3) *found = place();  // race: found_index
}
CASE(found_index, race) {
  Device<int> in(numbers(kCount)), found(1, 0);
  found_index<<<kBlocks, kThreads>>>(in, found);
  return done();
}

/// All stores are volatile, and so is the load.
__global__ void volatile_flag(const int* in, volatile int* found, int* early) {
  if (in[place()] % 7 == 3) *found = 1;
  if (*found == 2) atomicAdd(early, 1);
}
CASE(volatile_flag, clean) {
  Device<int> in(numbers(kCount)), found(1, 0), early(1, 0);
  volatile_flag<<<kBlocks, kThreads>>>(in, found, early);
  return done(found.are([](int) { return 1; }) && early.are([](int) { return 0; }));
}

__global__ void scatter_to_one_place_twice(const int* places, int* out) {
  out[places[place()]] = place();  // race: scatter_to_one_place_twice
}
CASE(scatter_to_one_place_twice, race) {
  std::vector<int> places = numbers(kCount);
  places[200] = 17;
  Device<int> device_places(places), out(kCount, 0);
  scatter_to_one_place_twice<<<kBlocks, kThreads>>>(device_places, out);
  return done();
}

__global__ void scatter_by_a_permutation(const int* places, int* out) { out[places[place()]] = place(); }
CASE(scatter_by_a_permutation, clean) {
  std::vector<int> places(kCount);
  for (int i = 0; i < kCount; ++i) places[i] = i * 37 % kCount;
  Device<int> device_places(places), out(kCount);
  scatter_by_a_permutation<<<kBlocks, kThreads>>>(device_places, out);
  const std::vector<int> got = out.values();
  bool right = true;
  for (int i = 0; i < kCount; ++i) right = right && got[places[i]] == i;
  return done(right);
}

}  // namespace

// Device-side launches: what a child sees of its parent, and who may read what the child has stored.
#include "case.h"

namespace {

constexpr int kThreads = 64;

__global__ void copy_each(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x]; }
__global__ void double_each(int* values) { values[threadIdx.x] *= 2; }

/// What the launching thread stores before the launch is visible to the child.
__global__ void stored_before_the_launch(int* values, int* out) {
  for (int i = 0; i < kThreads; ++i) values[i] = 3 * i;
  copy_each<<<1, kThreads>>>(values, out);
}
CASE(stored_before_the_launch, clean) {
  Device<int> values(kThreads), out(kThreads);
  stored_before_the_launch<<<1, 1>>>(values, out);
  return done(out.are([](int i) { return 3 * i; }));
}

__global__ void reads_too_late_a_store(const int* in, int* out) {
  out[threadIdx.x] = in[threadIdx.x];  // race: stored_behind_the_launch
}
__global__ void stored_behind_the_launch(int* values, int* out) {
  reads_too_late_a_store<<<1, kThreads>>>(values, out);
  for (int i = 0; i < kThreads; ++i) values[i] = 3 * i + 1;  // race: stored_behind_the_launch
}
CASE(stored_behind_the_launch, race) {
  Device<int> values(kThreads, 0), out(kThreads);
  stored_behind_the_launch<<<1, 1>>>(values, out);
  return done();
}

/// The block synchronises before one of its threads launches.
__global__ void barrier_before_the_launch(int* values, int* out) {
  values[threadIdx.x] = 3 * threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) copy_each<<<1, kThreads>>>(values, out);
}
CASE(barrier_before_the_launch, clean) {
  Device<int> values(kThreads), out(kThreads);
  barrier_before_the_launch<<<1, kThreads>>>(values, out);
  return done(out.are([](int i) { return 3 * i; }));
}

__global__ void reads_without_barrier(const int* in, int* out) {
  out[threadIdx.x] = in[threadIdx.x];  // race: no_barrier_before_the_launch
}
__global__ void no_barrier_before_the_launch(int* values, int* out) {
  values[threadIdx.x] = 3 * threadIdx.x + 1;  // race: no_barrier_before_the_launch
  if (threadIdx.x == 0) reads_without_barrier<<<1, kThreads>>>(values, out);
}
CASE(no_barrier_before_the_launch, race) {
  Device<int> values(kThreads, 0), out(kThreads);
  no_barrier_before_the_launch<<<1, kThreads>>>(values, out);
  return done();
}

/// A parent cannot wait for its child.
__global__ void stores_for_its_parent(int* values) {
  values[threadIdx.x] = 3 * threadIdx.x + 1;  // race: parent_reads_its_childs_result
}
__global__ void parent_reads_its_childs_result(int* values, int* out) {
  stores_for_its_parent<<<1, kThreads>>>(values);
  __threadfence();
  *out = *static_cast<volatile int*>(values);  // race: parent_reads_its_childs_result
}
CASE(parent_reads_its_childs_result, race) {
  Device<int> values(kThreads, 0), out(1);
  parent_reads_its_childs_result<<<1, 1>>>(values, out);
  return done();
}

/// A tail launch runs after the parent and all its children.
__global__ void tail_reads_the_childs_result(int* values, int* out) {
  for (int i = 0; i < kThreads; ++i) values[i] = i;
  copy_each<<<1, kThreads, 0, cudaStreamTailLaunch>>>(values, out);
  double_each<<<1, kThreads>>>(values);
}
CASE(tail_reads_the_childs_result, clean) {
  Device<int> values(kThreads), out(kThreads);
  tail_reads_the_childs_result<<<1, 1>>>(values, out);
  return done(out.are([](int i) { return 2 * i; }));
}

/// Children of one block in its NULL stream run one after the other.
__global__ void children_in_one_stream(int* values, int* out) {
  double_each<<<1, kThreads>>>(values);
  double_each<<<1, kThreads>>>(values);
  copy_each<<<1, kThreads>>>(values, out);
}
CASE(children_in_one_stream, clean) {
  Device<int> values(numbers(kThreads)), out(kThreads);
  children_in_one_stream<<<1, 1>>>(values, out);
  return done(out.are([](int i) { return 4 * i; }));
}

/// Fire-and-forget launches wait for nothing.
__global__ void adds_unordered(int* values, int addend) {
  values[threadIdx.x] += addend;  // race: two_fired_and_forgotten
}
__global__ void two_fired_and_forgotten(int* values) {
  adds_unordered<<<1, kThreads, 0, cudaStreamFireAndForget>>>(values, 3);
  adds_unordered<<<1, kThreads, 0, cudaStreamFireAndForget>>>(values, 5);
}
CASE(two_fired_and_forgotten, race) {
  Device<int> values(kThreads, 0);
  two_fired_and_forgotten<<<1, 1>>>(values);
  return done();
}

/// Each child has its own half.
__global__ void halves_fired_and_forgotten(int* values) {
  double_each<<<1, kThreads, 0, cudaStreamFireAndForget>>>(values);
  double_each<<<1, kThreads, 0, cudaStreamFireAndForget>>>(values + kThreads);
}
CASE(halves_fired_and_forgotten, clean) {
  Device<int> values(numbers(2 * kThreads));
  halves_fired_and_forgotten<<<1, 1>>>(values);
  double_each<<<1, kThreads>>>(values);
  return done(values.are([](int i) { return i < kThreads ? 4 * i : 2 * i; }));
}

/// Children of different blocks are unordered, although all of them use the NULL stream.
__global__ void adds_for_a_block(int* values, int addend) {
  values[threadIdx.x] += addend;  // race: children_of_two_blocks
}
__global__ void children_of_two_blocks(int* values) { adds_for_a_block<<<1, kThreads>>>(values, 3 + blockIdx.x); }
CASE(children_of_two_blocks, race) {
  Device<int> values(kThreads, 0);
  children_of_two_blocks<<<2, 1>>>(values);
  return done();
}

__global__ void atomics_for_a_block(int* sum) { atomicAdd(sum, 1); }
__global__ void children_with_atomics(int* sum) {
  atomics_for_a_block<<<1, kThreads>>>(sum);
  atomicAdd(sum, 1);
}
CASE(children_with_atomics, clean) {
  Device<int> sum(1, 0);
  children_with_atomics<<<4, 1>>>(sum);
  return done(sum.are([](int) { return 4 * kThreads + 4; }));
}

}  // namespace

// Kernels, copies and fills in streams: which of them wait for each other, and which only seem to.
#include "case.h"

namespace {

constexpr int kThreads = 64, kBlocks = 4, kCount = kThreads * kBlocks;

__device__ int place() { return static_cast<int>(blockIdx.x * kThreads + threadIdx.x); }

__global__ void store_each(int* out) { out[place()] = place(); }
__global__ void double_each(int* values) { values[place()] *= 2; }
__global__ void copy_each(const int* in, int* out) { out[place()] = in[place()]; }

/// A stream that destroys itself.
struct Stream {
  explicit Stream(unsigned flags = cudaStreamNonBlocking) { cudaStreamCreateWithFlags(&handle, flags); }
  ~Stream() { cudaStreamDestroy(handle); }
  operator cudaStream_t() const { return handle; }
  cudaStream_t handle;
};
struct Event {
  Event() { cudaEventCreateWithFlags(&handle, cudaEventDisableTiming); }
  ~Event() { cudaEventDestroy(handle); }
  operator cudaEvent_t() const { return handle; }
  cudaEvent_t handle;
};

__global__ void first_of_two_streams(int* values) {
  values[place()] = place();  // race: kernels_in_two_streams
}
__global__ void second_of_two_streams(const int* values, int* out) {
  out[place()] = values[place()];  // race: kernels_in_two_streams
}
CASE(kernels_in_two_streams, race) {
  Device<int> values(kCount, 0), out(kCount);
  Stream one, two;
  first_of_two_streams<<<kBlocks, kThreads, 0, one>>>(values);
  second_of_two_streams<<<kBlocks, kThreads, 0, two>>>(values, out);
  return done();
}

CASE(kernels_in_one_stream, clean) {
  Device<int> values(kCount), out(kCount);
  Stream one;
  store_each<<<kBlocks, kThreads, 0, one>>>(values);
  double_each<<<kBlocks, kThreads, 0, one>>>(values);
  copy_each<<<kBlocks, kThreads, 0, one>>>(values, out);
  return done() && out.are([](int i) { return 2 * i; });
}

/// Streams without the non-blocking flag wait for the default stream, and it waits for them.
CASE(default_stream_between_two, clean) {
  Device<int> values(kCount), out(kCount);
  Stream one(cudaStreamDefault), two(cudaStreamDefault);
  store_each<<<kBlocks, kThreads, 0, one>>>(values);
  double_each<<<kBlocks, kThreads>>>(values);
  copy_each<<<kBlocks, kThreads, 0, two>>>(values, out);
  return done() && out.are([](int i) { return 2 * i; });
}

__global__ void first_beside_default(int* values) {
  values[place()] = place();  // race: default_stream_beside_a_non_blocking_one
}
__global__ void second_beside_default(int* values) {
  values[place()] += 7;  // race: default_stream_beside_a_non_blocking_one
}
CASE(default_stream_beside_a_non_blocking_one, race) {
  Device<int> values(kCount, 0);
  Stream one;
  first_beside_default<<<kBlocks, kThreads, 0, one>>>(values);
  second_beside_default<<<kBlocks, kThreads>>>(values);
  return done();
}

/// Two such streams, without work of the default stream between them.
__global__ void first_of_two_blocking(int* values) {
  values[place()] = place();  // race: two_blocking_streams
}
__global__ void second_of_two_blocking(int* values) {
  values[place()] += 7;  // race: two_blocking_streams
}
CASE(two_blocking_streams, race) {
  Device<int> values(kCount, 0);
  Stream one(cudaStreamDefault), two(cudaStreamDefault);
  first_of_two_blocking<<<kBlocks, kThreads, 0, one>>>(values);
  second_of_two_blocking<<<kBlocks, kThreads, 0, two>>>(values);
  return done();
}

CASE(event_between_two_streams, clean) {
  Device<int> values(kCount), out(kCount);
  Stream one, two;
  Event stored;
  store_each<<<kBlocks, kThreads, 0, one>>>(values);
  cudaEventRecord(stored, one);
  cudaStreamWaitEvent(two, stored, 0);
  copy_each<<<kBlocks, kThreads, 0, two>>>(values, out);
  return done() && out.are([](int i) { return i; });
}

/// The event is recorded before the kernel that it should follow.
__global__ void first_behind_its_event(int* values) {
  values[place()] = place();  // race: event_recorded_too_early
}
__global__ void second_that_waits_in_vain(const int* values, int* out) {
  out[place()] = values[place()];  // race: event_recorded_too_early
}
CASE(event_recorded_too_early, race) {
  Device<int> values(kCount, 0), out(kCount);
  Stream one, two;
  Event stored;
  cudaEventRecord(stored, one);
  first_behind_its_event<<<kBlocks, kThreads, 0, one>>>(values);
  cudaStreamWaitEvent(two, stored, 0);
  second_that_waits_in_vain<<<kBlocks, kThreads, 0, two>>>(values, out);
  return done();
}

/// Waiting for an event that was never recorded does nothing.
__global__ void first_without_record(int* values) {
  values[place()] = place();  // race: event_never_recorded
}
__global__ void second_without_record(const int* values, int* out) {
  out[place()] = values[place()];  // race: event_never_recorded
}
CASE(event_never_recorded, race) {
  Device<int> values(kCount, 0), out(kCount);
  Stream one, two;
  Event stored;
  first_without_record<<<kBlocks, kThreads, 0, one>>>(values);
  cudaStreamWaitEvent(two, stored, 0);
  second_without_record<<<kBlocks, kThreads, 0, two>>>(values, out);
  return done();
}

/// From stream to stream to stream.
CASE(chain_of_events, clean) {
  Device<int> values(kCount), out(kCount);
  Stream one, two, three;
  Event first, second;
  store_each<<<kBlocks, kThreads, 0, one>>>(values);
  cudaEventRecord(first, one);
  cudaStreamWaitEvent(two, first, 0);
  double_each<<<kBlocks, kThreads, 0, two>>>(values);
  cudaEventRecord(second, two);
  cudaStreamWaitEvent(three, second, 0);
  copy_each<<<kBlocks, kThreads, 0, three>>>(values, out);
  return done() && out.are([](int i) { return 2 * i; });
}

/// What the host has waited for is ordered before everything that it submits next.
CASE(host_waits_between, clean) {
  Device<int> values(kCount), out(kCount);
  Stream one, two;
  store_each<<<kBlocks, kThreads, 0, one>>>(values);
  cudaStreamSynchronize(one);
  copy_each<<<kBlocks, kThreads, 0, two>>>(values, out);
  return done() && out.are([](int i) { return i; });
}

__global__ void store_beside_a_copy(int* values) {
  values[place()] = place() + 3;  // race: copy_in_another_stream
}
CASE(copy_in_another_stream, race) {
  Device<int> values(kCount, 0);
  Stream one, two;
  int* host = nullptr;
  cudaMallocHost(&host, kCount * sizeof(int));
  store_beside_a_copy<<<kBlocks, kThreads, 0, one>>>(values);
  cudaMemcpyAsync(host, values, kCount * sizeof(int), cudaMemcpyDeviceToHost,
                  two);  // host race: copy_in_another_stream
  const bool right = done();
  cudaFreeHost(host);
  return right;
}

CASE(copy_in_the_kernels_stream, clean) {
  Device<int> values(kCount, 0);
  Stream one;
  int* host = nullptr;
  cudaMallocHost(&host, kCount * sizeof(int));
  store_each<<<kBlocks, kThreads, 0, one>>>(values);
  cudaMemcpyAsync(host, values, kCount * sizeof(int), cudaMemcpyDeviceToHost, one);
  bool right = done();
  for (int i = 0; i < kCount; ++i) right = right && host[i] == i;
  cudaFreeHost(host);
  return right;
}

__global__ void add_beside_a_fill(int* values) {
  values[place()] += place() + 3;  // race: fill_in_another_stream
}
CASE(fill_in_another_stream, race) {
  Device<int> values(kCount, 1);
  Stream one, two;
  cudaMemsetAsync(values, 0, kCount * sizeof(int), one);  // host race: fill_in_another_stream
  add_beside_a_fill<<<kBlocks, kThreads, 0, two>>>(values);
  return done();
}

CASE(fill_in_the_kernels_stream, clean) {
  Device<int> values(kCount, 1);
  Stream one;
  cudaMemsetAsync(values, 0, kCount * sizeof(int), one);
  double_each<<<kBlocks, kThreads, 0, one>>>(values);
  return done() && values.are([](int) { return 0; });
}

/// Two device-to-device copies to the same destination.
CASE(two_copies_to_one_place, race) {
  Device<int> first(kCount, 1), second(kCount, 2), target(kCount, 0);
  Stream one, two;
  constexpr size_t kBytes = kCount * sizeof(int);
  cudaMemcpyAsync(target, first, kBytes, cudaMemcpyDeviceToDevice, one);   // host race: two_copies_to_one_place
  cudaMemcpyAsync(target, second, kBytes, cudaMemcpyDeviceToDevice, two);  // host race: two_copies_to_one_place
  return done();
}

/// Each stream has its own half.
CASE(halves_in_two_streams, clean) {
  Device<int> values(2 * kCount);
  Stream one, two;
  store_each<<<kBlocks, kThreads, 0, one>>>(values);
  cudaMemsetAsync(values + kCount, 0, kCount * sizeof(int), two);
  return done() && values.are([](int i) { return i < kCount ? i : 0; });
}

/// Two readers need no order.
CASE(two_readers_in_two_streams, clean) {
  Device<int> values(numbers(kCount)), first(kCount), second(kCount);
  Stream one, two;
  copy_each<<<kBlocks, kThreads, 0, one>>>(values, first);
  copy_each<<<kBlocks, kThreads, 0, two>>>(values, second);
  return done() && first.are([](int i) { return i; }) && second.are([](int i) { return i; });
}

/// Atomics of two kernels at once.
__global__ void count_atomically(int* sum) { atomicAdd(sum, 1); }
CASE(atomics_in_two_streams, clean) {
  Device<int> sum(1, 0);
  Stream one, two;
  count_atomically<<<kBlocks, kThreads, 0, one>>>(sum);
  count_atomically<<<kBlocks, kThreads, 0, two>>>(sum);
  return done() && sum.are([](int) { return 2 * kCount; });
}

}  // namespace

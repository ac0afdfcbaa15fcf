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

// ---- Constants: kernels read what copies write
constexpr int kFactors = 8;
__constant__ int factors[2 * kFactors];

void copy_factors(int factor, int first, cudaStream_t stream) {
  const std::vector<int> all(kFactors, factor);
  cudaMemcpyToSymbolAsync(factors, all.data(), kFactors * sizeof(int), first * sizeof(int), cudaMemcpyHostToDevice,
                          stream);
}
__global__ void multiply_each(int* values, int first) { values[place()] *= factors[first + threadIdx.x % kFactors]; }

__global__ void multiply_beside_the_copy(int* values) {
  values[place()] *= factors[threadIdx.x % kFactors];  // race: constants_copied_in_another_stream
}
CASE(constants_copied_in_another_stream, race) {
  Device<int> values(kCount, 1);
  Stream one, two;
  const std::vector<int> all(kFactors, 3);
  cudaMemcpyToSymbolAsync(factors, all.data(), kFactors * sizeof(int), 0, cudaMemcpyHostToDevice,
                          one);  // host race: constants_copied_in_another_stream
  multiply_beside_the_copy<<<kBlocks, kThreads, 0, two>>>(values);
  return done();
}

/// All threads read one constant, and the next launch's value may come too early.
__global__ void multiply_all_alike(int* values) {
  values[place()] *= factors[3];  // race: next_constants_before_the_kernel_has_ended
}
CASE(next_constants_before_the_kernel_has_ended, race) {
  Device<int> values(kCount, 1);
  Stream one, two;
  copy_factors(3, 0, one);
  cudaStreamSynchronize(one);
  multiply_all_alike<<<kBlocks, kThreads, 0, one>>>(values);
  const int next = 5;
  cudaMemcpyToSymbolAsync(factors, &next, sizeof next, 3 * sizeof(int), cudaMemcpyHostToDevice,
                          two);  // host race: next_constants_before_the_kernel_has_ended
  return done();
}

CASE(constants_copied_in_the_kernels_stream, clean) {
  Device<int> values(kCount, 1);
  Stream one;
  for (const int factor : {3, 5}) {
    copy_factors(factor, 0, one);
    multiply_each<<<kBlocks, kThreads, 0, one>>>(values, 0);
  }
  return done() && values.are([](int) { return 15; });
}

CASE(constants_copied_between_events, clean) {
  Device<int> values(kCount, 1);
  Stream one, two;
  Event copied, read;
  copy_factors(3, 0, one);
  cudaEventRecord(copied, one);
  cudaStreamWaitEvent(two, copied, 0);
  multiply_each<<<kBlocks, kThreads, 0, two>>>(values, 0);
  cudaEventRecord(read, two);
  cudaStreamWaitEvent(one, read, 0);
  copy_factors(5, 0, one);
  cudaStreamSynchronize(one);
  multiply_each<<<kBlocks, kThreads, 0, two>>>(values, 0);
  return done() && values.are([](int) { return 15; });
}

/// cudaMemcpyToSymbol works in the default stream, for which a blocking stream waits.
CASE(constants_copied_in_the_default_stream, clean) {
  Device<int> values(kCount, 1);
  Stream one(cudaStreamDefault);
  for (const int factor : {3, 5}) {
    const std::vector<int> all(kFactors, factor);
    cudaMemcpyToSymbol(factors, all.data(), kFactors * sizeof(int));
    multiply_each<<<kBlocks, kThreads, 0, one>>>(values, 0);
  }
  return done() && values.are([](int) { return 15; });
}

/// Each stream has its own half of the constants.
CASE(halves_of_the_constants_in_two_streams, clean) {
  Device<int> first(kCount, 1), second(kCount, 1);
  Stream one, two;
  copy_factors(3, 0, one);
  multiply_each<<<kBlocks, kThreads, 0, one>>>(first, 0);
  copy_factors(5, kFactors, two);
  multiply_each<<<kBlocks, kThreads, 0, two>>>(second, kFactors);
  return done() && first.are([](int) { return 3; }) && second.are([](int) { return 5; });
}

}  // namespace

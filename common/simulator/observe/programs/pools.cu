// Stream-ordered allocation: from when and until when which stream may use the memory.
#include "case.h"

namespace {

constexpr int kThreads = 64;
constexpr size_t kBytes = kThreads * sizeof(int);

__global__ void store_each(int* out) { out[threadIdx.x] = 3 * threadIdx.x; }

struct Streams {
  Streams() {
    cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  }
  ~Streams() {
    cudaStreamDestroy(one);
    cudaStreamDestroy(other);
    cudaEventDestroy(event);
  }
  /// Work submitted to @p later from now on waits for the work in @p earlier.
  void order(cudaStream_t earlier, cudaStream_t later) {
    cudaEventRecord(event, earlier);
    cudaStreamWaitEvent(later, event);
  }
  cudaStream_t one = nullptr, other = nullptr;
  cudaEvent_t event = nullptr;
};

bool are_stored(const int* values, cudaStream_t stream) {
  std::vector<int> copy(kThreads);
  cudaMemcpyAsync(copy.data(), values, kBytes, cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  for (int i = 0; i < kThreads; ++i)
    if (copy[i] != 3 * i) return false;
  return true;
}

CASE(used_in_its_stream, clean) {
  Streams streams;
  int* values = nullptr;
  cudaMallocAsync(&values, kBytes, streams.one);
  store_each<<<1, kThreads, 0, streams.one>>>(values);
  const bool right = are_stored(values, streams.one);
  cudaFreeAsync(values, streams.one);
  return done(right);
}

/// The memory may not have been allocated yet.
__global__ void store_before_it_is_there(int* out) {
  out[threadIdx.x] = 3 * threadIdx.x;  // race: used_in_another_stream
}
CASE(used_in_another_stream, race) {
  Streams streams;
  int* values = nullptr;
  cudaMallocAsync(&values, kBytes, streams.one);  // host race: used_in_another_stream
  store_before_it_is_there<<<1, kThreads, 0, streams.other>>>(values);
  cudaDeviceSynchronize();
  cudaFreeAsync(values, streams.one);
  return done();
}

CASE(used_behind_an_event, clean) {
  Streams streams;
  int* values = nullptr;
  cudaMallocAsync(&values, kBytes, streams.one);
  streams.order(streams.one, streams.other);
  store_each<<<1, kThreads, 0, streams.other>>>(values);
  const bool right = are_stored(values, streams.other);
  cudaFreeAsync(values, streams.other);
  return done(right);
}

/// The free is not ordered after the kernel that uses the memory.
__global__ void store_while_it_is_freed(int* out) {
  out[threadIdx.x] = 3 * threadIdx.x;  // race: freed_beside_its_use
}
CASE(freed_beside_its_use, race_with_a_free) {
  Streams streams;
  int* values = nullptr;
  cudaMallocAsync(&values, kBytes, streams.one);
  streams.order(streams.one, streams.other);
  store_while_it_is_freed<<<1, kThreads, 0, streams.other>>>(values);
  cudaFreeAsync(values, streams.one);  // host race: freed_beside_its_use
  return done();
}

CASE(freed_behind_its_use, clean) {
  Streams streams;
  int* values = nullptr;
  cudaMallocAsync(&values, kBytes, streams.one);
  streams.order(streams.one, streams.other);
  store_each<<<1, kThreads, 0, streams.other>>>(values);
  streams.order(streams.other, streams.one);
  cudaFreeAsync(values, streams.one);
  return done();
}

CASE(the_host_waits_between, clean) {
  Streams streams;
  int* values = nullptr;
  cudaMallocAsync(&values, kBytes, streams.one);
  cudaStreamSynchronize(streams.one);
  store_each<<<1, kThreads, 0, streams.other>>>(values);
  cudaStreamSynchronize(streams.other);
  cudaFreeAsync(values, streams.one);
  return done();
}

CASE(freed_twice, memory) {
  int* values = nullptr;
  cudaMallocAsync(&values, kBytes, nullptr);
  store_each<<<1, kThreads>>>(values);
  cudaFreeAsync(values, nullptr);
  cudaFreeAsync(values, nullptr);  // host memory: freed_twice
  return done();
}

__global__ void store_behind_the_free(int* out) {
  out[threadIdx.x] = 3 * threadIdx.x;  // memory: used_behind_its_free
}
CASE(used_behind_its_free, memory) {
  int* values = nullptr;
  cudaMallocAsync(&values, kBytes, nullptr);
  cudaFreeAsync(values, nullptr);
  store_behind_the_free<<<1, kThreads>>>(values);
  return done();
}

/// Two allocations one after the other, perhaps at the same address.
CASE(one_behind_the_other, clean) {
  Streams streams;
  bool right = true;
  for (int round = 0; round < 3; ++round) {
    const cudaStream_t stream = round % 2 == 0 ? streams.one : streams.other;
    int* values = nullptr;
    cudaMallocAsync(&values, kBytes, stream);
    store_each<<<1, kThreads, 0, stream>>>(values);
    right = are_stored(values, stream) && right;
    cudaFreeAsync(values, stream);
  }
  return done(right);
}

}  // namespace

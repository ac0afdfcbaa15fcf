// Kernels and the host run concurrently: each waits for values that the other writes while the kernel runs.
#include <cuda.h>
#include <cuda_runtime.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <cuda/atomic>
#include <thread>

#include "check.h"

namespace {

using Word = volatile unsigned;
using SystemFlag = cuda::atomic_ref<unsigned, cuda::thread_scope_system>;

/// Zeroed memory that host and device share.
unsigned* shared_words(std::size_t count) {
  unsigned* words = nullptr;
  SUCCEEDS(cudaHostAlloc(&words, count * sizeof(unsigned), cudaHostAllocMapped));
  std::memset(words, 0, count * sizeof(unsigned));
  return words;
}

unsigned* device_words(std::size_t count) {
  unsigned* words = nullptr;
  SUCCEEDS(cudaMalloc(&words, count * sizeof(unsigned)));
  SUCCEEDS(cudaMemset(words, 0, count * sizeof(unsigned)));
  SUCCEEDS(cudaDeviceSynchronize());
  return words;
}

unsigned value_of(const unsigned* device) {
  unsigned value = 0;
  SUCCEEDS(cudaMemcpy(&value, device, sizeof value, cudaMemcpyDeviceToHost));
  return value;
}

struct Stream {
  Stream() { SUCCEEDS(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking)); }
  ~Stream() { SUCCEEDS(cudaStreamDestroy(stream)); }
  operator cudaStream_t() const { return stream; }
  cudaStream_t stream = nullptr;
};

__global__ void wait_for(Word* flag, unsigned value) {
  while (*flag < value) {
  }
}

__global__ void wait_and_answer(Word* flag, Word* answer) {
  while (*flag == 0) {
  }
  *answer = *flag + 1;
}

/// A driver call without linking the driver library.
template <class Function>
Function driver_call(const char* name) {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult result{};
  SUCCEEDS(cudaGetDriverEntryPointByVersion(name, &found, 12000, cudaEnableDefault, &result));
  return reinterpret_cast<Function>(found);
}

__global__ void store(Word* to, unsigned value) { *to = value; }

void latch_after_the_launch() {
  unsigned* flag = shared_words(1);
  wait_for<<<1, 1>>>(flag, 1);
  CHECK(cudaStreamQuery(nullptr) == cudaErrorNotReady);
  *static_cast<Word*>(flag) = 1;
  SUCCEEDS(cudaDeviceSynchronize());
  SUCCEEDS(cudaFreeHost(flag));
}

void latch_in_registered_memory() {
  alignas(64) static unsigned flag = 0;
  SUCCEEDS(cudaHostRegister(&flag, sizeof flag, cudaHostRegisterMapped));
  unsigned* on_device = nullptr;
  SUCCEEDS(cudaHostGetDevicePointer(reinterpret_cast<void**>(&on_device), &flag, 0));
  unsigned* answer = device_words(1);
  wait_and_answer<<<1, 64>>>(on_device, answer);
  *const_cast<Word*>(&flag) = 7;
  CHECK(value_of(answer) == 8);
  SUCCEEDS(cudaHostUnregister(&flag));
  SUCCEEDS(cudaFree(answer));
}

__global__ void wait_in_managed(Word* words) {
  if (threadIdx.x == 0) {
    while (words[0] == 0) {
    }
  }
  __syncthreads();
  words[1 + threadIdx.x] = words[0] * 10 + threadIdx.x;
}

void latch_in_managed_memory() {
  unsigned* words = nullptr;
  SUCCEEDS(cudaMallocManaged(&words, 256 * sizeof(unsigned)));
  std::memset(words, 0, 256 * sizeof(unsigned));
  words[200] = 5;
  wait_in_managed<<<1, 64>>>(words);
  words[201] = 6;
  static_cast<Word*>(words)[0] = 3;
  SUCCEEDS(cudaDeviceSynchronize());
  CHECK(words[1] == 30);
  CHECK(words[64] == 93);
  CHECK(words[200] == 5);
  CHECK(words[201] == 6);
  SUCCEEDS(cudaFree(words));
}

/// Items arrive one after another: `ready` counts them, `done` the processed ones. 0 ends the kernel.
__global__ void work_off(unsigned* ready, unsigned* done, const unsigned* items, unsigned* results) {
  __shared__ unsigned item;
  for (unsigned next = 0;; ++next) {
    if (threadIdx.x == 0) {
      while (SystemFlag(*ready).load(cuda::memory_order_acquire) <= next) {
      }
      item = items[next];
    }
    __syncthreads();
    if (item == 0) return;
    if (threadIdx.x < 4) results[next * 4 + threadIdx.x] = item * (threadIdx.x + 1);
    __syncthreads();
    if (threadIdx.x == 0) SystemFlag(*done).store(next + 1, cuda::memory_order_release);
  }
}

void persistent_kernel() {
  constexpr unsigned kItems = 6;
  unsigned* words = shared_words(2 + 8 + 32);
  unsigned *ready = words, *done = words + 1, *items = words + 2, *results = words + 10;
  work_off<<<1, 64>>>(ready, done, items, results);
  for (unsigned i = 0; i < kItems; ++i) {
    items[i] = 100 + i;
    SystemFlag(*ready).store(i + 1, cuda::memory_order_release);
    // The host only reads: the device makes progress by itself.
    while (SystemFlag(*done).load(cuda::memory_order_acquire) != i + 1) {
    }
    CHECK(results[i * 4 + 3] == (100 + i) * 4);
  }
  items[kItems] = 0;
  SystemFlag(*ready).store(kItems + 1, cuda::memory_order_release);
  SUCCEEDS(cudaDeviceSynchronize());
  SUCCEEDS(cudaFreeHost(words));
}

__global__ void return_the_ball(Word* ball, unsigned rounds) {
  for (unsigned i = 0; i < rounds; ++i) {
    while (*ball != 2 * i + 1) {
    }
    __threadfence_system();
    *ball = 2 * i + 2;
  }
}

void ping_pong() {
  constexpr unsigned kRounds = 20;
  unsigned* ball = shared_words(1);
  return_the_ball<<<1, 1>>>(ball, kRounds);
  for (unsigned i = 0; i < kRounds; ++i) {
    *static_cast<Word*>(ball) = 2 * i + 1;
    while (*static_cast<Word*>(ball) != 2 * i + 2) {
    }
  }
  SUCCEEDS(cudaDeviceSynchronize());
  SUCCEEDS(cudaFreeHost(ball));
}

void kernel_for_a_later_kernel() {
  unsigned *flag = device_words(1), *answer = device_words(1);
  Stream a, b;
  wait_and_answer<<<1, 1, 0, a>>>(flag, answer);
  store<<<1, 1, 0, a>>>(answer + 0, 77);  // behind it in the same stream
  store<<<1, 1, 0, b>>>(flag, 4);
  SUCCEEDS(cudaStreamSynchronize(a));
  CHECK(value_of(answer) == 77);
  SUCCEEDS(cudaFree(flag));
  SUCCEEDS(cudaFree(answer));
}

__global__ void wait_by_atomics(unsigned* flag, unsigned* answer) {
  while (atomicAdd(flag, 0) == 0) {
  }
  *answer = 9;
}

void kernel_that_waits_by_atomics() {
  unsigned *flag = device_words(1), *answer = device_words(1);
  Stream a, b;
  wait_by_atomics<<<1, 1, 0, a>>>(flag, answer);
  store<<<1, 1, 0, b>>>(flag, 1);
  SUCCEEDS(cudaStreamSynchronize(a));
  CHECK(value_of(answer) == 9);
  SUCCEEDS(cudaFree(flag));
  SUCCEEDS(cudaFree(answer));
}

__global__ void take_turns(Word* ball, unsigned first, unsigned rounds) {
  for (unsigned i = 0; i < rounds; ++i) {
    while (*ball != 2 * i + first) {
    }
    *ball = 2 * i + first + 1;
  }
}

void kernels_that_take_turns() {
  unsigned* ball = device_words(1);
  Stream a, b;
  take_turns<<<1, 1, 0, a>>>(ball, 1, 200);
  take_turns<<<1, 1, 0, b>>>(ball, 0, 200);
  SUCCEEDS(cudaDeviceSynchronize());
  CHECK(value_of(ball) == 400);
  SUCCEEDS(cudaFree(ball));
}

void kernel_for_a_copy() {
  unsigned *flag = device_words(1), *answer = device_words(1), *source = shared_words(1);
  *source = 5;
  Stream a, b;
  wait_and_answer<<<2, 32, 0, a>>>(flag, answer);
  SUCCEEDS(cudaMemcpyAsync(flag, source, sizeof *source, cudaMemcpyHostToDevice, b));
  SUCCEEDS(cudaStreamSynchronize(a));
  CHECK(value_of(answer) == 6);
  SUCCEEDS(cudaFree(flag));
  SUCCEEDS(cudaFree(answer));
  SUCCEEDS(cudaFreeHost(source));
}

void kernel_for_a_value() {
  const auto write_value = driver_call<decltype(&cuStreamWriteValue32)>("cuStreamWriteValue32");
  const auto wait_value = driver_call<decltype(&cuStreamWaitValue32)>("cuStreamWaitValue32");
  unsigned *flag = device_words(1), *answer = device_words(1);
  Stream a, b;
  wait_and_answer<<<1, 1, 0, a>>>(flag, answer);
  CHECK(write_value(b, reinterpret_cast<CUdeviceptr>(flag), 12, 0) == CUDA_SUCCESS);
  SUCCEEDS(cudaStreamSynchronize(a));
  CHECK(value_of(answer) == 13);
  // The other way round: a stream waits for a value that a kernel stores later.
  CHECK(wait_value(a, reinterpret_cast<CUdeviceptr>(flag), 20, CU_STREAM_WAIT_VALUE_GEQ) == CUDA_SUCCESS);
  store<<<1, 1, 0, a>>>(answer, 50);
  CHECK(cudaStreamQuery(a) == cudaErrorNotReady);
  store<<<1, 1, 0, b>>>(flag, 21);
  SUCCEEDS(cudaStreamSynchronize(a));
  CHECK(value_of(answer) == 50);
  SUCCEEDS(cudaFree(flag));
  SUCCEEDS(cudaFree(answer));
}

void stream_for_a_value_of_the_host() {
  unsigned *flag = shared_words(1), *answer = device_words(1);
  const auto wait_value = driver_call<decltype(&cuStreamWaitValue32)>("cuStreamWaitValue32");
  Stream a;
  CHECK(wait_value(a, reinterpret_cast<CUdeviceptr>(flag), 1, CU_STREAM_WAIT_VALUE_EQ) == CUDA_SUCCESS);
  store<<<1, 1, 0, a>>>(answer, 50);
  *static_cast<Word*>(flag) = 1;
  SUCCEEDS(cudaStreamSynchronize(a));
  CHECK(value_of(answer) == 50);
  SUCCEEDS(cudaFree(answer));
  SUCCEEDS(cudaFreeHost(flag));
}

void set_to_one(void* flag) { *static_cast<Word*>(flag) = 1; }
void CUDART_CB callback_sets_to_one(cudaStream_t, cudaError_t error, void* flag) {
  *static_cast<Word*>(flag) = error == cudaSuccess ? 1 : 2;
}

void kernel_for_a_host_function() {
  unsigned *flag = shared_words(1), *answer = device_words(1);
  Stream a, b;
  wait_and_answer<<<1, 1, 0, a>>>(flag, answer);
  SUCCEEDS(cudaLaunchHostFunc(b, set_to_one, flag));
  SUCCEEDS(cudaStreamSynchronize(a));
  CHECK(value_of(answer) == 2);
  SUCCEEDS(cudaFree(answer));
  SUCCEEDS(cudaFreeHost(flag));
}

/// Functions behind a waiting kernel run when it has ended, in stream order.
void host_functions_behind_a_kernel() {
  unsigned *flags = shared_words(3), *answer = device_words(1);
  Stream a, b;
  wait_and_answer<<<1, 1, 0, a>>>(flags, answer);
  SUCCEEDS(cudaLaunchHostFunc(a, set_to_one, flags + 1));
  SUCCEEDS(cudaStreamAddCallback(a, callback_sets_to_one, flags + 2, 0));
  CHECK(*static_cast<Word*>(flags + 1) == 0);
  wait_for<<<1, 1, 0, b>>>(flags + 2, 1);  // for the second function
  *static_cast<Word*>(flags) = 1;
  SUCCEEDS(cudaStreamSynchronize(b));
  CHECK(*static_cast<Word*>(flags + 1) == 1);
  CHECK(*static_cast<Word*>(flags + 2) == 1);
  SUCCEEDS(cudaStreamSynchronize(a));
  SUCCEEDS(cudaFree(answer));
  SUCCEEDS(cudaFreeHost(flags));
}

void query_loops() {
  unsigned *flag = shared_words(1), *answer = device_words(1);
  Stream a;
  cudaEvent_t event = nullptr;
  SUCCEEDS(cudaEventCreate(&event));
  wait_and_answer<<<1, 1, 0, a>>>(flag, answer);
  SUCCEEDS(cudaEventRecord(event, a));
  for (int i = 0; i < 3; ++i) CHECK(cudaEventQuery(event) == cudaErrorNotReady);
  *static_cast<Word*>(flag) = 2;
  while (cudaEventQuery(event) == cudaErrorNotReady) {
  }
  while (cudaStreamQuery(a) == cudaErrorNotReady) {
  }
  CHECK(value_of(answer) == 3);
  SUCCEEDS(cudaEventDestroy(event));
  SUCCEEDS(cudaFree(answer));
  SUCCEEDS(cudaFreeHost(flag));
}

/// Work behind a waiting kernel uses the data as it was at the call: pageable memory may change at once.
void work_behind_a_kernel() {
  unsigned *flag = shared_words(1), *answer = device_words(4);
  Stream a;
  cudaEvent_t event = nullptr;
  SUCCEEDS(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  wait_for<<<1, 1, 0, a>>>(flag, 1);
  SUCCEEDS(cudaMemsetAsync(answer, 0xff, 4, a));
  unsigned* later = nullptr;
  SUCCEEDS(cudaMallocAsync(&later, 4, a));
  store<<<1, 1, 0, a>>>(later, 3);
  SUCCEEDS(cudaMemcpyAsync(answer + 1, later, 4, cudaMemcpyDeviceToDevice, a));
  SUCCEEDS(cudaFreeAsync(later, a));
  SUCCEEDS(cudaEventRecord(event, a));
  {
    Stream b;
    SUCCEEDS(cudaStreamWaitEvent(b, event));
    store<<<1, 1, 0, b>>>(answer + 2, 8);
  }  // destroyed with work in it
  *static_cast<Word*>(flag) = 1;
  SUCCEEDS(cudaDeviceSynchronize());
  CHECK(value_of(answer) == 0xffffffff);
  CHECK(value_of(answer + 1) == 3);
  CHECK(value_of(answer + 2) == 8);
  SUCCEEDS(cudaEventDestroy(event));
  SUCCEEDS(cudaFree(answer));
  SUCCEEDS(cudaFreeHost(flag));
}

/// One host thread waits for a kernel that another thread releases.
void threads_of_the_host() {
  unsigned* flags = shared_words(2);
  std::atomic<bool> launched = false;
  std::thread waits([&] {
    Stream a;
    wait_for<<<1, 1, 0, a>>>(flags, 1);
    wait_for<<<1, 1, 0, a>>>(flags + 1, 1);
    launched = true;
    SUCCEEDS(cudaStreamSynchronize(a));
  });
  while (!launched) {
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  *static_cast<Word*>(flags) = 1;
  Stream b;
  store<<<1, 1, 0, b>>>(flags + 1, 1);
  SUCCEEDS(cudaStreamSynchronize(b));
  waits.join();
  SUCCEEDS(cudaFreeHost(flags));
}

void graph_that_waits() {
  unsigned *flag = shared_words(1), *answer = device_words(1);
  Stream a;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  SUCCEEDS(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
  wait_and_answer<<<1, 1, 0, a>>>(flag, answer);
  SUCCEEDS(cudaStreamEndCapture(a, &graph));
  SUCCEEDS(cudaGraphInstantiate(&exec, graph, 0));
  SUCCEEDS(cudaGraphLaunch(exec, a));
  *static_cast<Word*>(flag) = 6;
  SUCCEEDS(cudaStreamSynchronize(a));
  CHECK(value_of(answer) == 7);
  SUCCEEDS(cudaGraphExecDestroy(exec));
  SUCCEEDS(cudaGraphDestroy(graph));
  SUCCEEDS(cudaFree(answer));
  SUCCEEDS(cudaFreeHost(flag));
}

}  // namespace

int main() {
  // Load the kernels now: a kernel is loaded at its first launch, and an H200 may wait for running kernels before that.
  setenv("CUDA_MODULE_LOADING", "EAGER", 1);
  latch_after_the_launch();
  latch_in_registered_memory();
  latch_in_managed_memory();
  persistent_kernel();
  ping_pong();
  kernel_for_a_later_kernel();
  kernel_that_waits_by_atomics();
  kernels_that_take_turns();
  kernel_for_a_copy();
  kernel_for_a_value();
  stream_for_a_value_of_the_host();
  kernel_for_a_host_function();
  host_functions_behind_a_kernel();
  query_loops();
  work_behind_a_kernel();
  threads_of_the_host();
  graph_that_waits();
  return report();
}

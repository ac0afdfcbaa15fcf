// A kernel on one device waits for the host while work of another device runs.
#include <cstdlib>

#include "common/simulator/runtime/tests/check.h"

namespace {

using Word = volatile unsigned;

__global__ void wait_and_answer(Word* flag, Word* answer) {
  while (*flag == 0) {
  }
  *answer = *flag + 1;
}

__global__ void store(Word* to, unsigned value) { *to = value; }

unsigned value_of(const unsigned* there) {
  unsigned value = 0;
  SUCCEEDS(cudaMemcpy(&value, there, sizeof value, cudaMemcpyDefault));
  return value;
}

unsigned* shared_word() {
  unsigned* word = nullptr;
  SUCCEEDS(cudaHostAlloc(&word, sizeof *word, cudaHostAllocPortable));
  *word = 0;
  return word;
}

unsigned* device_word(int device) {
  unsigned* word = nullptr;
  SUCCEEDS(cudaSetDevice(device));
  SUCCEEDS(cudaMalloc(&word, sizeof *word));
  SUCCEEDS(cudaMemset(word, 0, sizeof *word));
  SUCCEEDS(cudaDeviceSynchronize());
  return word;
}

void waiting_for_one_device_does_not_wait_for_the_other() {
  unsigned* flag = shared_word();
  unsigned *first = device_word(0), *second = device_word(1);
  wait_and_answer<<<1, 1>>>(flag, second);
  SUCCEEDS(cudaSetDevice(0));
  store<<<1, 1>>>(first, 5);
  SUCCEEDS(cudaDeviceSynchronize());
  CHECK(value_of(first) == 5);
  SUCCEEDS(cudaSetDevice(1));
  CHECK(cudaStreamQuery(nullptr) == cudaErrorNotReady);
  *static_cast<Word*>(flag) = 3;
  SUCCEEDS(cudaDeviceSynchronize());
  CHECK(value_of(second) == 4);
  SUCCEEDS(cudaFree(first));
  SUCCEEDS(cudaFree(second));
  SUCCEEDS(cudaFreeHost(flag));
}

/// Work behind it in its stream runs on its device although the host's current device is the other one.
void what_goes_on_is_work_of_its_own_device() {
  unsigned* flag = shared_word();
  unsigned *first = device_word(0), *second = device_word(1);
  cudaStream_t stream = nullptr;
  SUCCEEDS(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  wait_and_answer<<<1, 1, 0, stream>>>(flag, second);
  store<<<1, 1, 0, stream>>>(second, 9);
  SUCCEEDS(cudaSetDevice(0));
  *static_cast<Word*>(flag) = 1;
  SUCCEEDS(cudaStreamSynchronize(stream));
  CHECK(value_of(second) == 9);
  store<<<1, 1>>>(first, 2);
  SUCCEEDS(cudaDeviceSynchronize());
  CHECK(value_of(first) == 2);
  SUCCEEDS(cudaStreamDestroy(stream));
  SUCCEEDS(cudaFree(first));
  SUCCEEDS(cudaFree(second));
  SUCCEEDS(cudaFreeHost(flag));
}

/// A kernel on one device waits for one on the other, which is launched later and writes the first device's memory.
void kernel_for_a_kernel_of_another_device() {
  SUCCEEDS(cudaSetDevice(0));
  SUCCEEDS(cudaDeviceEnablePeerAccess(1, 0));
  unsigned *flag = device_word(1), *answer = device_word(1);
  wait_and_answer<<<1, 1>>>(flag, answer);
  SUCCEEDS(cudaSetDevice(0));
  store<<<1, 1>>>(flag, 6);
  SUCCEEDS(cudaDeviceSynchronize());
  SUCCEEDS(cudaSetDevice(1));
  SUCCEEDS(cudaDeviceSynchronize());
  CHECK(value_of(answer) == 7);
  SUCCEEDS(cudaFree(flag));
  SUCCEEDS(cudaFree(answer));
}

}  // namespace

int main() {
  // Load the kernels now: a kernel is loaded at its first launch, and an H200 may wait for running kernels before that.
  setenv("CUDA_MODULE_LOADING", "EAGER", 1);
  waiting_for_one_device_does_not_wait_for_the_other();
  what_goes_on_is_work_of_its_own_device();
  kernel_for_a_kernel_of_another_device();
  return report();
}

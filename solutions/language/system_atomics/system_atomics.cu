// Exercise system_atomics: atomics and messages between the device and the host. See system_atomics.h.
#include <cuda/atomic>

#include "common/cuda/check.cuh"
#include "system_atomics.h"

using OfSystem = cuda::atomic_ref<int, cuda::thread_scope_system>;
int answer_of(int question) { return question * question % 1009; }
// BEGIN SOLUTION
// TODO(student): write the kernels: one that adds, one that asks. (10 lines)
__global__ void add_kernel(int* sum, int threads) {
  if (blockIdx.x * blockDim.x + threadIdx.x < threads) atomicAdd_system(sum, 10);
}
__global__ void ask_kernel(int* mail, const int* question, int* answer) {
  mail[1] = *question;
  OfSystem flag(mail[0]);
  flag.store(1, cuda::memory_order_release);
  while (flag.load(cuda::memory_order_acquire) != 2) continue;
  *answer = mail[1];
}
// END SOLUTION
void count_together(int* total, int threads, int by_host) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): 8 lines in place of this one.
  int* sum = nullptr;
  WB_CHECK(cudaMallocManaged(&sum, sizeof(int)));
  *sum = 0;
  add_kernel<<<(threads + 255) / 256, 256>>>(sum, threads);
  for (int i = 0; i < by_host; ++i) OfSystem(*sum).fetch_add(1);
  WB_CHECK(cudaDeviceSynchronize());
  WB_CHECK(cudaMemcpy(total, sum, sizeof(int), cudaMemcpyDefault));
  WB_CHECK(cudaFree(sum));
  // END SOLUTION
}
void ask(const int* question, int* answer) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): 10 lines in place of this one.
  int* mail = nullptr;  // A flag, then the message.
  WB_CHECK(cudaMallocHost(&mail, 2 * sizeof(int)));
  mail[0] = 0;
  ask_kernel<<<1, 1>>>(mail, question, answer);
  OfSystem flag(mail[0]);
  while (flag.load(cuda::memory_order_acquire) != 1) continue;
  mail[1] = answer_of(mail[1]);
  flag.store(2, cuda::memory_order_release);
  WB_CHECK(cudaDeviceSynchronize());
  WB_CHECK(cudaFreeHost(mail));
  // END SOLUTION
}
int predict(int scope, int other) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): one line in place of this one.
  return scope == 3 || other == 1 || (scope == 2 && other < 4);
  // END SOLUTION
}

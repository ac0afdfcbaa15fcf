// Exercise system_atomics: atomics and messages between the device and the host. See system_atomics.h.
#include <cuda/atomic>

#include "common/cuda/check.cuh"
#include "system_atomics.h"

using OfSystem = cuda::atomic_ref<int, cuda::thread_scope_system>;
int answer_of(int question) { return question * question % 1009; }
// TODO(student): write the kernels: one that adds, one that asks. (10 lines)
void count_together(int* total, int threads, int by_host) {
  warpbook::not_started();  // TODO(student): 8 lines in place of this one.
}
void ask(const int* question, int* answer) {
  warpbook::not_started();  // TODO(student): 10 lines in place of this one.
}
int predict(int scope, int other) {
  warpbook::not_started();  // TODO(student): one line in place of this one.
}

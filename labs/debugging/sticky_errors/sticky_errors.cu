// Exercise sticky_errors: errors that can be cleared and errors that stay. See sticky_errors.h.
#include "sticky_errors.h"

__global__ void store(int* out) { *out = 1; }

// This function is as it should be.
static void make(int mistake) {
  void* memory = nullptr;
  if (mistake == large_fill && cudaMalloc(&memory, 1 << 10) == cudaSuccess) cudaMemset(memory, 0, 4 << 20);
  if (mistake == large_block) store<<<1, 2048>>>(nullptr);
  if (mistake == null_pointer) store<<<1, 1>>>(nullptr);
}

int observe(int mistake, int call) {
  warpbook::not_started();  // TODO(student): make(mistake), then the four calls. (5 lines)
}

int predict(int mistake, int call, int blocking) {
  warpbook::not_started();  // TODO(student): 2 lines in place of this one.
}

int is_lost(int mistake) {
  make(mistake);
  warpbook::not_started();  // TODO(student): 2 lines in place of this one.
}

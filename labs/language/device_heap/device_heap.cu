// Exercise device_heap: memory that kernels allocate. device_heap.h says what each function must do.
#include "common/cuda/check.cuh"
#include "device_heap.h"

// TODO(student): write a kernel for each function. Who waits for whom? (9 lines each)

void keep(const int* in, int** places, int blocks, int each) {
  warpbook::not_started();  // TODO(student): launch your kernel in place of this line.
  WB_CHECK(cudaGetLastError());
}

void fetch(int** places, int* out, int blocks, int each) {
  warpbook::not_started();  // TODO(student): launch your kernel in place of this line.
  WB_CHECK(cudaGetLastError());
}

int holds(int statement) {
  warpbook::not_started();  // TODO(student): which are true? (1 line)
}

// Exercise full_heap: what malloc() in a kernel does when the heap is full. See full_heap.h.
#include "common/cuda/check.cuh"
#include "full_heap.h"

// BEGIN SOLUTION
// TODO(student): write the kernel. (17 lines)
__global__ void fill_kernel(int* counts, int bytes) {
  for (int turn = 0; turn < 2; ++turn) {
    void** last = nullptr;  // The newest piece, which begins with the address of the one before.
    int count = 0;
    while (void** const piece = static_cast<void**>(malloc(bytes))) {
      *piece = last;
      last = piece;
      ++count;
    }
    counts[turn] = count;
    while (last != nullptr) {
      void** const before = static_cast<void**>(*last);
      free(last);
      last = before;
    }
  }
}
// END SOLUTION

void fill_up(int* counts, int bytes) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): launch your kernel in place of this line.
  fill_kernel<<<1, 1>>>(counts, bytes);
  // END SOLUTION
  WB_CHECK(cudaGetLastError());
}

int get_nothing(int threads, int bytes, int mebibytes) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): two lines in place of this one.
  const int most = (mebibytes << 20) / bytes;
  return threads > most ? threads - most : 0;
  // END SOLUTION
}

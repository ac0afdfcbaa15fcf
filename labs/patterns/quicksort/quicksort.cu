// Lab quicksort: keys sorted by a kernel that launches itself.
// This is the only file you edit. What each function must do is in quicksort.h, what to do first in README.md.
#include "common/cuda/check.cuh"
#include "pieces.cuh"  // kThreads, place(), choose_pivot(), count_distinct: complete.
#include "quicksort.h"

// ---- Predictions ----------------------------------------------------------------------------------------------------

int predict_depth(int count, int small, Children children) {
  // TODO(student): see quicksort.h. Delete the next line. (4 lines)
  warpbook::not_started();
}

int predict_launches(int count, int small) {
  // TODO(student): a recursion of the host. Delete the next line. (2 lines)
  warpbook::not_started();
}

// ---- Part 1: a small part -------------------------------------------------------------------------------------------

// All threads of a block sort `count` keys, in shared or in global memory.
__device__ void sort_network(unsigned* keys, int count) {
  // TODO(student): runs of 1, 2, 4, ... keys are merged to twice as many, as the picture shows. For each width (2, 4,
  // 8, ... until one run holds all) and each distance (width / 2, ... 4, 2, 1): every thread takes pairs (i, partner),
  // k = threadIdx.x, threadIdx.x + kThreads, ..., where i = 2 * k - k % distance, and exchanges their keys if they are
  // in the wrong order; a partner that does not exist is left alone. Then a barrier. (11 lines)
}

// All threads of a block sort at most kSmall keys, which lie in global memory.
__device__ void sort_in_shared(unsigned* keys, int count) {
  // TODO(student): bring the keys to shared memory, sort them there, bring them back. (5 lines)
}

__global__ void sort_small_kernel(unsigned* keys, int count) { sort_in_shared(keys, count); }

void sort_small(unsigned* keys, int count) {
  // TODO(student): delete the next line when the two functions above are written. The launch is as it should be.
  warpbook::not_started();
  sort_small_kernel<<<1, kThreads>>>(keys, count);
  WB_CHECK(cudaGetLastError());
}

// ---- Part 2: one split ----------------------------------------------------------------------------------------------

// All threads of a block split `count` keys in three. `counts` (less, greater) is in shared memory; its two numbers
// hold anything before, and all threads may read them afterwards.
__device__ void partition_block(unsigned* keys, unsigned* scratch, int count, unsigned pivot, int* counts) {
  // TODO(student): nothing is counted yet. Then each key that is less goes to the next place from the start of scratch,
  // each that is greater to the next one from its end: place(&counts[0], ...), place(&counts[1], ...). All lanes of a
  // warp must call place(), even if there is no key left for them. Then all go back to keys, with the pivot wherever
  // nothing came to scratch. Where are barriers needed? (11 lines)
}

__global__ void partition_kernel(unsigned* keys, unsigned* scratch, int count, unsigned pivot, int* result) {
  __shared__ int counts[2];
  partition_block(keys, scratch, count, pivot, counts);
  if (threadIdx.x < 2) result[threadIdx.x] = counts[threadIdx.x];
}

void partition(unsigned* keys, unsigned* scratch, int count, unsigned pivot, int* counts) {
  // TODO(student): delete the next line when partition_block() is written. The launch is as it should be.
  warpbook::not_started();
  partition_kernel<<<1, kThreads>>>(keys, scratch, count, pivot, counts);
  WB_CHECK(cudaGetLastError());
}

// ---- Part 3: a kernel that launches itself --------------------------------------------------------------------------

// One block sorts `count` keys.
__global__ void sort_kernel(unsigned* keys, unsigned* scratch, int count, Pivot pivot) {
  // TODO(student): as long as the part is not small, and at most kRounds times: choose the pivot, split, let one thread
  // launch this kernel for the smaller side, in a stream in which it waits for nothing, and go on with the larger one.
  // Then sort what is left: in shared memory if it is small, otherwise where it is. When may the next round change
  // counts? (16 lines)
}

void quicksort(unsigned* keys, unsigned* scratch, int count, Pivot pivot) {
  // TODO(student): delete the next line when the kernel is written. The launch is as it should be.
  warpbook::not_started();
  sort_kernel<<<1, kThreads>>>(keys, scratch, count, pivot);
  WB_CHECK(cudaGetLastError());
}

// ---- Part 4: after all children -------------------------------------------------------------------------------------

// One thread.
__global__ void sort_and_count_kernel(unsigned* keys, unsigned* scratch, int count, int* distinct) {
  // TODO(student): launch sort_kernel for all keys, and count_distinct so that it starts when everything is sorted. (2
  // lines)
}

void quicksort_and_count(unsigned* keys, unsigned* scratch, int count, int* distinct) {
  // TODO(student): delete the next line when the kernel is written. The launch is as it should be.
  warpbook::not_started();
  sort_and_count_kernel<<<1, 1>>>(keys, scratch, count, distinct);
  WB_CHECK(cudaGetLastError());
}

// The kernels that the parents of lab dynamic_parallelism launch as children. They are complete.
#pragma once

constexpr int kThreads = 256;  // Threads of a block, and elements of a segment in part 2.

// One block for the segment [begin, end), one thread for each element.
__global__ void smooth_segment(const unsigned* squares, unsigned* out, int begin, int end) {
  const int i = begin + threadIdx.x;
  if (i >= end) return;
  const int left = i > begin ? i - 1 : i, right = i + 1 < end ? i + 1 : i;
  out[i] = squares[left] + squares[i] + squares[right];
}

// One block of kThreads threads sums values [begin, end) into *sum.
__global__ void sum_long_row(const unsigned* values, int begin, int end, unsigned* sum) {
  __shared__ unsigned partial[kThreads];
  unsigned mine = 0;
  for (int i = begin + threadIdx.x; i < end; i += kThreads) mine += values[i];
  partial[threadIdx.x] = mine;
  for (int half = kThreads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
  }
  if (threadIdx.x == 0) *sum = partial[0];
}

// One block of kThreads threads finds the largest of `count` values, count >= 1.
__global__ void find_largest(const unsigned* sums, int count, unsigned* largest) {
  __shared__ unsigned partial[kThreads];
  unsigned mine = 0;
  for (int i = threadIdx.x; i < count; i += kThreads) mine = max(mine, sums[i]);
  partial[threadIdx.x] = mine;
  for (int half = kThreads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) partial[threadIdx.x] = max(partial[threadIdx.x], partial[threadIdx.x + half]);
  }
  if (threadIdx.x == 0) *largest = partial[0];
}

// One thread visits element i.
__global__ void visit(int i, int* visits) { visits[i] += 1; }

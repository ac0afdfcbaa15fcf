// A stream for each child, destroyed at once; the last row's thread launches the tail, a block's last thread a child.
#include "dynamic_parallelism.h"

#define smooth right_smooth
#define smooth_kernel right_smooth_kernel
#define sum_one_row right_sum_one_row
#define sum_rows right_sum_rows
#define sum_rows_kernel right_sum_rows_kernel
#define largest_row right_largest_row
#define largest_row_kernel right_largest_row_kernel
#include "solutions/dynamic_parallelism/dynamic_parallelism/dynamic_parallelism.cu"
#undef smooth
#undef smooth_kernel
#undef sum_one_row
#undef sum_rows
#undef sum_rows_kernel
#undef largest_row
#undef largest_row_kernel

__global__ void smooth_kernel(const unsigned* in, unsigned* squares, unsigned* out, int count) {
  const int begin = blockIdx.x * blockDim.x, end = min(begin + int(blockDim.x), count);
  const int i = begin + threadIdx.x;
  if (i < count) squares[i] = in[i] * in[i];
  __syncthreads();
  if (threadIdx.x == blockDim.x - 1)
    smooth_segment<<<1, end - begin, 0, cudaStreamFireAndForget>>>(squares, out, begin, end);
}

void smooth(const unsigned* in, unsigned* squares, unsigned* out, int count) {
  if (count > 0) smooth_kernel<<<blocks_for(count), kThreads>>>(in, squares, out, count);
}

__device__ void sum_one_row(const unsigned* values, const int* offsets, int row, unsigned* sums) {
  const int begin = offsets[row], end = offsets[row + 1];
  if (end - begin > kLongRow) {
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    sum_long_row<<<1, kThreads, 0, stream>>>(values, begin, end, sums + row);
    cudaStreamDestroy(stream);
  } else {
    unsigned sum = 0;
    for (int i = begin; i < end; ++i) sum += values[i];
    sums[row] = sum;
  }
}

__global__ void sum_rows_kernel(const unsigned* values, const int* offsets, int rows, unsigned* sums) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) sum_one_row(values, offsets, row, sums);
}

void sum_rows(const unsigned* values, const int* offsets, int rows, unsigned* sums) {
  if (rows > 0) sum_rows_kernel<<<(rows + 127) / 128, 128>>>(values, offsets, rows, sums);
}

__global__ void largest_row_kernel(const unsigned* values, const int* offsets, int rows, unsigned* sums,
                                   unsigned* largest) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) sum_one_row(values, offsets, row, sums);
  if (row == rows - 1) find_largest<<<1, kThreads, 0, cudaStreamTailLaunch>>>(sums, rows, largest);
}

void largest_row(const unsigned* values, const int* offsets, int rows, unsigned* sums, unsigned* largest) {
  if (rows > 0) largest_row_kernel<<<(rows + 127) / 128, 128>>>(values, offsets, rows, sums, largest);
}

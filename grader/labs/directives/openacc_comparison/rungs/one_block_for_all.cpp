// Ignores the blocks: one loop with data clauses, as merge_acc.
#include <algorithm>

#include "openacc_comparison.h"

#ifdef _OPENACC  // ---- The half that the OpenACC compiler reads

long predict_bytes_to_device(long rows, long columns, int steps, bool data_region) {
  return 2 * rows * columns * (data_region ? 1 : steps);
}

char cuda_index_of(Level level) { return level == Level::gang ? 'b' : level == Level::worker ? 'y' : 'x'; }

void merge_acc(const Byte* first, const Byte* second, Byte* out, long rows, long columns) {
  const long n = rows * columns;
#pragma acc parallel loop gang copyin(first[:n], second[:n]) copyout(out[:n])
  for (long row = 0; row < rows; ++row) {
#pragma acc loop vector
    for (long i = row * columns; i < (row + 1) * columns; ++i) out[i] = (first[i] + second[i]) / 2;
  }
}

void fade_acc(Byte* image, const Byte* target, long rows, long columns, int steps) {
  const long n = rows * columns;
#pragma acc data copy(image[:n]) copyin(target[:n])
  for (int step = 0; step < steps; ++step) {
#pragma acc parallel loop gang present(image[:n], target[:n])
    for (long row = 0; row < rows; ++row) {
#pragma acc loop vector
      for (long i = row * columns; i < (row + 1) * columns; ++i) image[i] = (image[i] + target[i]) / 2;
    }
  }
}

void merge_pipelined_acc(const Byte* first, const Byte* second, Byte* out, long rows, long columns, long blocks) {
  if (rows * columns == 0) return;  // GCC cannot enter data without bytes.
  if (blocks > 0) return merge_acc(first, second, out, rows, columns);
  const long n = rows * columns, most = (rows + blocks - 1) / blocks;
#pragma acc enter data create(first[:n], second[:n], out[:n])
  for (long begin = 0, block = 0; begin < rows; begin += most, ++block) {
    const long end = std::min(rows, begin + most), start = begin * columns, length = (end - begin) * columns;
#pragma acc update device(first [start:length], second [start:length]) async(block % 2)
#pragma acc parallel loop gang present(first[:n], second[:n], out[:n]) async(block % 2)
    for (long row = begin; row < end; ++row) {
#pragma acc loop vector
      for (long i = row * columns; i < (row + 1) * columns; ++i) out[i] = (first[i] + second[i]) / 2;
    }
#pragma acc update self(out [start:length]) async(block % 2)
  }
#pragma acc wait
#pragma acc exit data delete (first[:n], second[:n], out[:n])
}

#endif
#ifdef __CUDACC__  // ---- The half that nvcc reads

#include "common/cuda/check.cuh"

__global__ void merge_kernel(const Byte* first, const Byte* second, Byte* out, long count) {
  const long i = blockIdx.x * static_cast<long>(blockDim.x) + threadIdx.x;
  if (i < count) out[i] = (first[i] + second[i]) / 2;
}

void merge_cuda(const Byte* first, const Byte* second, Byte* out, long rows, long columns) {
  merge_pipelined_cuda(first, second, out, rows, columns, 1);
}

void merge_pipelined_cuda(const Byte* first, const Byte* second, Byte* out, long rows, long columns, long blocks) {
  const long n = rows * columns, most = (rows + blocks - 1) / blocks;
  if (n == 0) return;
  Byte* device[3];  // first, second, out
  cudaStream_t streams[2];
  for (Byte*& image : device) WB_CHECK(cudaMalloc(&image, n));
  for (cudaStream_t& stream : streams) WB_CHECK(cudaStreamCreate(&stream));
  for (long begin = 0, block = 0; begin < rows; begin += most, ++block) {
    const long start = begin * columns, length = std::min(rows - begin, most) * columns;
    const cudaStream_t stream = streams[block % 2];
    WB_CHECK(cudaMemcpyAsync(device[0] + start, first + start, length, cudaMemcpyHostToDevice, stream));
    WB_CHECK(cudaMemcpyAsync(device[1] + start, second + start, length, cudaMemcpyHostToDevice, stream));
    merge_kernel<<<(length + 255) / 256, 256, 0, stream>>>(device[0] + start, device[1] + start, device[2] + start,
                                                           length);
    WB_CHECK(cudaGetLastError());
    WB_CHECK(cudaMemcpyAsync(out + start, device[2] + start, length, cudaMemcpyDeviceToHost, stream));
  }
  WB_CHECK(cudaDeviceSynchronize());
  for (cudaStream_t stream : streams) WB_CHECK(cudaStreamDestroy(stream));
  for (Byte* image : device) WB_CHECK(cudaFree(image));
}

#endif

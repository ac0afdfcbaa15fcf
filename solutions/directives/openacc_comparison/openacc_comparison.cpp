// Merges of images, offloaded with OpenACC and with CUDA. Two compilers read this file, each its own half.
#include "openacc_comparison.h"

#include <algorithm>

#ifdef _OPENACC  // ---- The half that the OpenACC compiler reads

long predict_bytes_to_device(long rows, long columns, int steps, bool data_region) {
  // BEGIN SOLUTION
  // TODO(student): two images go to the device. How often?
  // SKELETON: warpbook::not_started();
  return 2 * rows * columns * (data_region ? 1 : steps);
  // END SOLUTION
}

char cuda_index_of(Level level) {
  // BEGIN SOLUTION
  // TODO(student): which CUDA index counts gangs, workers, the lanes of a vector?
  // SKELETON: warpbook::not_started();
  return level == Level::gang ? 'b' : level == Level::worker ? 'y' : 'x';
  // END SOLUTION
}

void merge_acc(const Byte* first, const Byte* second, Byte* out, long rows, long columns) {
  const long n = rows * columns;
  // BEGIN SOLUTION
  // TODO(student): share the rows among gangs and say what is copied: #pragma acc parallel loop gang ...
  // SKELETON: warpbook::not_started();
#pragma acc parallel loop gang copyin(first[:n], second[:n]) copyout(out[:n])
  // END SOLUTION
  for (long row = 0; row < rows; ++row) {
    // BEGIN SOLUTION
    // TODO(student): share the pixels of a row among the lanes of a vector.
#pragma acc loop vector
    // END SOLUTION
    for (long i = row * columns; i < (row + 1) * columns; ++i) out[i] = (first[i] + second[i]) / 2;
  }
}

void fade_acc(Byte* image, const Byte* target, long rows, long columns, int steps) {
  const long n = rows * columns;
  // BEGIN SOLUTION
  // TODO(student): put a data region around the loop over the steps.
  // SKELETON: warpbook::not_started();
#pragma acc data copy(image[:n]) copyin(target[:n])
  // END SOLUTION
  for (int step = 0; step < steps; ++step) {
    // BEGIN SOLUTION
    // TODO(student): offload the loops below. The images are present(image[:n], target[:n]) already.
#pragma acc parallel loop gang present(image[:n], target[:n])
    // END SOLUTION
    for (long row = 0; row < rows; ++row) {
      // BEGIN SOLUTION
      // TODO(student): lanes, as above.
#pragma acc loop vector
      // END SOLUTION
      for (long i = row * columns; i < (row + 1) * columns; ++i) image[i] = (image[i] + target[i]) / 2;
    }
  }
}

void merge_pipelined_acc(const Byte* first, const Byte* second, Byte* out, long rows, long columns, long blocks) {
  if (rows * columns == 0) return;  // GCC cannot enter data without bytes.
  const long n = rows * columns, most = (rows + blocks - 1) / blocks;
  // BEGIN SOLUTION
  // TODO(student): allocate memory on the device, and copy nothing yet: enter data create.
  // SKELETON: warpbook::not_started();
#pragma acc enter data create(first[:n], second[:n], out[:n])
  // END SOLUTION
  for (long begin = 0, block = 0; begin < rows; begin += most, ++block) {
    const long end = std::min(rows, begin + most), start = begin * columns, length = (end - begin) * columns;
    // BEGIN SOLUTION
    // TODO(student): copy this block's pixels, [start : length], of both images to the device: update device. Then
    // offload the loops. Both go into a queue, block % 2.
#pragma acc update device(first [start:length], second [start:length]) async(block % 2)
#pragma acc parallel loop gang present(first[:n], second[:n], out[:n]) async(block % 2)
    // END SOLUTION
    for (long row = begin; row < end; ++row) {
      // BEGIN SOLUTION
      // TODO(student): lanes, as above.
#pragma acc loop vector
      // END SOLUTION
      for (long i = row * columns; i < (row + 1) * columns; ++i) out[i] = (first[i] + second[i]) / 2;
    }
    // BEGIN SOLUTION
    // TODO(student): copy this block's pixels of out back, in the same queue: update self.
#pragma acc update self(out [start:length]) async(block % 2)
    // END SOLUTION
  }
  // BEGIN SOLUTION
  // TODO(student): wait for all queues, then free the memory: exit data delete.
#pragma acc wait
#pragma acc exit data delete (first[:n], second[:n], out[:n])
  // END SOLUTION
}

#endif
#ifdef __CUDACC__  // ---- The half that nvcc reads

#include "common/cuda/check.cuh"

// BEGIN SOLUTION
// TODO(student): write the kernel: one thread, one pixel. Guard the end.
__global__ void merge_kernel(const Byte* first, const Byte* second, Byte* out, long count) {
  const long i = blockIdx.x * static_cast<long>(blockDim.x) + threadIdx.x;
  if (i < count) out[i] = (first[i] + second[i]) / 2;
}
// END SOLUTION

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
    // BEGIN SOLUTION
    // TODO(student): in this stream: copy pixels [start, start + length) of both images to the device, launch the
    // kernel on them, copy the result back.
    // SKELETON: (void)first, (void)second, (void)out, (void)start, (void)length, (void)stream;
    // SKELETON: warpbook::not_started();
    WB_CHECK(cudaMemcpyAsync(device[0] + start, first + start, length, cudaMemcpyHostToDevice, stream));
    WB_CHECK(cudaMemcpyAsync(device[1] + start, second + start, length, cudaMemcpyHostToDevice, stream));
    merge_kernel<<<(length + 255) / 256, 256, 0, stream>>>(device[0] + start, device[1] + start, device[2] + start,
                                                           length);
    WB_CHECK(cudaGetLastError());
    WB_CHECK(cudaMemcpyAsync(out + start, device[2] + start, length, cudaMemcpyDeviceToHost, stream));
    // END SOLUTION
  }
  // BEGIN SOLUTION
  // TODO(student): wait until both streams have finished.
  WB_CHECK(cudaDeviceSynchronize());
  // END SOLUTION
  for (cudaStream_t stream : streams) WB_CHECK(cudaStreamDestroy(stream));
  for (Byte* image : device) WB_CHECK(cudaFree(image));
}

#endif

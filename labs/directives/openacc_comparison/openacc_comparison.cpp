// Merges of images, offloaded with OpenACC and with CUDA. Two compilers read this file, each its own half.
#include "openacc_comparison.h"

#include <algorithm>

#ifdef _OPENACC  // ---- The half that the OpenACC compiler reads

long predict_bytes_to_device(long rows, long columns, int steps, bool data_region) {
  // TODO(student): two images go to the device. How often?
  warpbook::not_started();
}

char cuda_index_of(Level level) {
  // TODO(student): which CUDA index counts gangs, workers, the lanes of a vector?
  warpbook::not_started();
}

void merge_acc(const Byte* first, const Byte* second, Byte* out, long rows, long columns) {
  const long n = rows * columns;
  // TODO(student): share the rows among gangs and say what is copied: #pragma acc parallel loop gang ...
  warpbook::not_started();
  for (long row = 0; row < rows; ++row) {
    // TODO(student): share the pixels of a row among the lanes of a vector.
    for (long i = row * columns; i < (row + 1) * columns; ++i) out[i] = (first[i] + second[i]) / 2;
  }
}

void fade_acc(Byte* image, const Byte* target, long rows, long columns, int steps) {
  const long n = rows * columns;
  // TODO(student): put a data region around the loop over the steps.
  warpbook::not_started();
  for (int step = 0; step < steps; ++step) {
    // TODO(student): offload the loops below. The images are present(image[:n], target[:n]) already.
    for (long row = 0; row < rows; ++row) {
      // TODO(student): lanes, as above.
      for (long i = row * columns; i < (row + 1) * columns; ++i) image[i] = (image[i] + target[i]) / 2;
    }
  }
}

void merge_pipelined_acc(const Byte* first, const Byte* second, Byte* out, long rows, long columns, long blocks) {
  if (rows * columns == 0) return;  // GCC cannot enter data without bytes.
  const long n = rows * columns, most = (rows + blocks - 1) / blocks;
  // TODO(student): allocate memory on the device, and copy nothing yet: enter data create.
  warpbook::not_started();
  for (long begin = 0, block = 0; begin < rows; begin += most, ++block) {
    const long end = std::min(rows, begin + most), start = begin * columns, length = (end - begin) * columns;
    // TODO(student): copy this block's pixels, [start : length], of both images to the device: update device. Then
    // offload the loops. Both go into a queue, block % 2.
    for (long row = begin; row < end; ++row) {
      // TODO(student): lanes, as above.
      for (long i = row * columns; i < (row + 1) * columns; ++i) out[i] = (first[i] + second[i]) / 2;
    }
    // TODO(student): copy this block's pixels of out back, in the same queue: update self.
  }
  // TODO(student): wait for all queues, then free the memory: exit data delete.
}

#endif
#ifdef __CUDACC__  // ---- The half that nvcc reads

#include "common/cuda/check.cuh"

// TODO(student): write the kernel: one thread, one pixel. Guard the end.

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
    // TODO(student): in this stream: copy pixels [start, start + length) of both images to the device, launch the
    // kernel on them, copy the result back.
    (void)first, (void)second, (void)out, (void)start, (void)length, (void)stream;
    warpbook::not_started();
  }
  // TODO(student): wait until both streams have finished.
  for (cudaStream_t stream : streams) WB_CHECK(cudaStreamDestroy(stream));
  for (Byte* image : device) WB_CHECK(cudaFree(image));
}

#endif

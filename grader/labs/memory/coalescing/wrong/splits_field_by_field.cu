// Loads a record as four floats: each load touches all sectors of 32 records and takes a quarter of their bytes.
// rejected-by: counters.the records are moved without a useless byte
// because: Too many sectors of global loads, relative to the ideal: 4; at most 1 is allowed
// because: stride 16 bytes
#include "coalescing.h"

#define split_records right_split_records
#define split_records_kernel right_split_records_kernel
#include "solutions/memory/coalescing/coalescing.cu"
#undef split_records
#undef split_records_kernel

__global__ void split_records_kernel(const float* records, float* fields, int count) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= count) return;
  for (int f = 0; f < 4; ++f) fields[f * count + i] = records[4 * i + f];
}

void split_records(const float* records, float* fields, int count) {
  const int blocks = (count + kThreads - 1) / kThreads;
  if (blocks > 0) split_records_kernel<<<blocks, kThreads>>>(records, fields, count);
}

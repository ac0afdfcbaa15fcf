// Stores the fields of a record side by side, where they were before.
// rejected-by: correctness.the records are split into fields
// because: 'fields' is wrong
#include "coalescing.h"

#define split_records right_split_records
#define split_records_kernel right_split_records_kernel
#include "solutions/memory/coalescing/coalescing.cu"
#undef split_records
#undef split_records_kernel

__global__ void split_records_kernel(const float* records, float* fields, int count) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i < count) reinterpret_cast<float4*>(fields)[i] = reinterpret_cast<const float4*>(records)[i];
}

void split_records(const float* records, float* fields, int count) {
  const int blocks = (count + kThreads - 1) / kThreads;
  if (blocks > 0) split_records_kernel<<<blocks, kThreads>>>(records, fields, count);
}

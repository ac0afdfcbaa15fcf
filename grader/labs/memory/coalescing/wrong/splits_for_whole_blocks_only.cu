// Takes the number of threads for the number of records: right only where it is a multiple of 256.
// rejected-by: correctness.the records are split into fields
// because: lies in no allocation
#include "coalescing.h"

#define split_records right_split_records
#define split_records_kernel right_split_records_kernel
#include "solutions/memory/coalescing/coalescing.cu"
#undef split_records
#undef split_records_kernel

__global__ void split_records_kernel(const float* records, float* fields, int count) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  const float4 record = reinterpret_cast<const float4*>(records)[i];
  fields[i] = record.x;
  fields[count + i] = record.y;
  fields[2 * count + i] = record.z;
  fields[3 * count + i] = record.w;
}

void split_records(const float* records, float* fields, int count) {
  const int blocks = (count + kThreads - 1) / kThreads;
  if (blocks > 0) split_records_kernel<<<blocks, kThreads>>>(records, fields, count);
}

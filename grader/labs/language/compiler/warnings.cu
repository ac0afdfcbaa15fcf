// What nvcc warns of: the line after each comment "says:" is reported with this text, and no other line.
#include <cuda_runtime.h>

__device__ int device_number;

// says: L51: #177-D: variable "unused_bar" was declared but never referenced
__device__ void bar() { int unused_bar; }

#pragma nv_diag_suppress 177
__device__ void foo() { int unused_foo; }
#pragma nv_diag_default 177

// says: L51: #177-D: variable "unused_bar_2" was declared but never referenced
__device__ void bar2() { int unused_bar_2; }

#pragma nv_diagnostic push
#pragma nv_diag_suppress 177
__device__ void foo2() { int unused_foo_2; }
#pragma nv_diagnostic pop

// says: L04: use double4_16a or double4_32a
__device__ void takes(double4 numbers);
// The host's compiler does not read nvcc's pragmas.
#pragma nv_diag_suppress 1215, 1444
// says: B.38: use long4_16a or long4_32a
__device__ void is_for_nvcc_only(long4 numbers);

int reads_from_the_host() {
  // says: L52: cannot be directly read in a host function
  return device_number;
}

__global__ void unrolls(int* out) {
  // says: L49: the unroll value cannot be
#pragma unroll - 1
  for (int i = 0; i < 8; ++i) out[i] = i;
}

// What the assembler behind nvcc (ptxas) refuses, one kernel at a time: the one that -DCHOICE=n chooses, with this
// message.
#include <cuda_runtime.h>

#if CHOICE == 1
// says: L02: uses too much shared data (0xc004 bytes, 0xc000 max)
__global__ void much_shared_memory(int* out) {
  __shared__ int numbers[48 * 1024 / 4 + 1];
  numbers[threadIdx.x] = out[0];
  __syncthreads();
  out[0] = numbers[5];
}
#elif CHOICE == 2
// says: L52: uses too much global constant data (0x10004 bytes, 0x10000 max)
__constant__ int much_constant_memory[64 * 1024 / 4 + 1];
__global__ void reads(int* out) { *out = much_constant_memory[*out]; }
#elif CHOICE == 3
// says: L21: Instruction 'vote' without '.sync' is not supported
__global__ void votes_without_a_mask(int* out) { *out = __any(*out); }
#endif

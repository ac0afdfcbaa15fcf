// Exercise address_spaces: which memory a pointer leads to. See address_spaces.h.
#include "address_spaces.h"

__device__ int variable = -1;
__constant__ int constant = -3;

__device__ int space_of(const int* p, std::size_t& address) {
  // BEGIN SOLUTION
  // SKELETON: return address = 0;  // TODO(student): convert the address, return the space's number. (4 lines)
  if (__isConstant(p)) return address = __cvta_generic_to_constant(p), 3;
  if (__isGlobal(p)) return address = __cvta_generic_to_global(p), 1;
  if (__isShared(p)) return address = __cvta_generic_to_shared(p), 2;
  return address = __cvta_generic_to_local(p), 4;
  // END SOLUTION
}

__device__ int load_from(int space, std::size_t address) {
  int value = 0;
  if (space == 1) asm volatile("ld.global.s32 %0, [%1];" : "=r"(value) : "l"(address) : "memory");
  if (space == 2) asm volatile("ld.shared.s32 %0, [%1];" : "=r"(value) : "l"(address) : "memory");
  if (space == 3) asm volatile("ld.const.s32 %0, [%1];" : "=r"(value) : "l"(address) : "memory");
  if (space == 4) asm volatile("ld.local.s32 %0, [%1];" : "=r"(value) : "l"(address) : "memory");
  return value;
}

__global__ void look(const int* kinds, int* spaces, int* values, int count) {
  __shared__ int shared[256];
  const int i = blockIdx.x * 256 + threadIdx.x, local = i;
  if (i >= count) return;
  shared[threadIdx.x] = 2 * i;
  const int* const pointers[] = {&variable, &shared[threadIdx.x], &constant, &local};
  std::size_t address = 0;
  spaces[i] = space_of(pointers[kinds[i] - 1], address);
  values[i] = load_from(spaces[i], address);
}

void classify(const int* kinds, int* spaces, int* values, int count) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): write space_of(), then launch look() in place of this line.
  look<<<(count + 255) / 256, 256>>>(kinds, spaces, values, count);
  // END SOLUTION
}

int predict(int question) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): 2 lines in place of this one.
  const int answers[] = {1, 1, 2, 3, 1, 4, 1, 1, 1, 7, 13, 6, 7, 0};
  return answers[question - 1];
  // END SOLUTION
}

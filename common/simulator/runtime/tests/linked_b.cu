// The other half of the linked program: a device function and a kernel that use the first half's variables.
#include "linked.h"

__device__ __noinline__ int combine(int value, int which) { return value * factors[which] + offset; }

__global__ void other(int* data) { data[0] = offset + 7; }

void launch_other(int* device) { other<<<1, 1>>>(device); }

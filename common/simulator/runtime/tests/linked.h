// What the two halves of the linked program share.
#pragma once

extern __device__ int offset;
extern __constant__ int factors[2];
__device__ int combine(int value, int which);
void launch_other(int* device);

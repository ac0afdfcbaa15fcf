// Kernels and variables that driver.cpp loads at run time, as PTX and as a fat binary.
__device__ int counter = 5;
__constant__ int factor = 3;

extern "C" __global__ void scale(int* data, int count, int add) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) data[i] = data[i] * factor + add;
}

extern "C" __global__ void count_up() { atomicAdd(&counter, 1); }

extern "C" __global__ void out_of_bounds(int* data) { data[1 << 20] = 1; }

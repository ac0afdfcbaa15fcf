// Kernels of the sample programs, built as PTX (kernels.ptx) and as a fat binary (kernels.fatbin).
#include <cstdio>

__device__ int table[4] = {1, 2, 4, 8};
__constant__ float factor = 2.0f;
__managed__ int sum = 100;

extern "C" __global__ void vector_add(const float* a, const float* b, float* c, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) c[i] = a[i] + b[i];
}

extern "C" __global__ void scale(float* data, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) data[i] *= factor;
}

extern "C" __global__ void use_table(int* out) {
  out[threadIdx.x] = table[threadIdx.x] * 10;
  if (threadIdx.x == 0) atomicAdd(&sum, 11);
}

extern "C" __global__ void __launch_bounds__(256) multiply(const float* a, const float* b, float* c, int size) {
  __shared__ float tile_a[16][16], tile_b[16][16];
  const int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * 16 + x, row = blockIdx.y * 16 + y;
  float total = 0;
  for (int at = 0; at < size; at += 16) {
    tile_a[y][x] = a[row * size + at + x];
    tile_b[y][x] = b[(at + y) * size + column];
    __syncthreads();
    for (int k = 0; k < 16; ++k) total += tile_a[y][k] * tile_b[k][x];
    __syncthreads();
  }
  c[row * size + column] = total;
}

extern "C" __global__ void add_to(int* data, int value) { data[threadIdx.x] += value; }

extern "C" __global__ void touch(int* data, long long at, int value) { data[at] = value; }

extern "C" __global__ void hello() { printf("hello from thread %d\n", threadIdx.x); }

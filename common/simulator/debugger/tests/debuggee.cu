// A program for the debugger's tests, with something to look at. The tests refer to its line numbers.
#include <cassert>
#include <cstdio>
#include <cstring>

struct Point {
  float x;
  int id;
  double v[2];
};

enum Colour { red, green = 5 };

__device__ int counter = 5;
__constant__ float weights[4] = {1, 2, 3, 4};

__device__ float scale(float value, int factor) {
  float result = value * factor;
  return result;
}

__global__ void sums(float* out, const float* in, int n, Point p) {
  __shared__ float tile[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float local[4];
  for (int k = 0; k < 4; ++k) local[k] = i * k;
  Point q = p;
  q.x += threadIdx.x;
  Colour colour = threadIdx.x == 3 ? green : red;
  tile[threadIdx.x] = scale(in[i], 3);
  __syncthreads();
  if (i < n) {
    float sum = 0;
    for (int k = 0; k < 4; ++k) {
      sum += tile[(threadIdx.x + k) % 64] + local[k] * q.x;
    }
    out[i] = sum + weights[1] + colour;
  }
  if (i == 70) counter += 2;
}

__global__ void overrun(int* data, int n) {
  int i = threadIdx.x;
  int previous = data[i];
  data[i + n] = previous + i;
}

__global__ void asserts(int limit) {
  int i = threadIdx.x;
  assert(i < limit);
}

__global__ void races(int* out) {
  __shared__ int cell[64];
  cell[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = cell[63 - threadIdx.x];
}

__global__ void waits_for_ever() {
  if (threadIdx.x < 32) asm volatile("barrier.sync 1, 96;");
  if (threadIdx.x >= 32) asm volatile("barrier.sync 2, 96;");
}

__device__ volatile int arrived;

__global__ void meets(int* out) {
  if (threadIdx.x == 0) atomicAdd(const_cast<int*>(&arrived), 1);
  while (arrived < 2) {
  }
  out[blockIdx.x] = arrived;
}

int main(int count, char** words) {
  const auto is = [&](const char* name) { return count > 1 && std::strcmp(words[1], name) == 0; };
  float *in, *out;
  cudaMalloc(&in, 128 * sizeof(float));
  cudaMalloc(&out, 128 * sizeof(float));
  float values[128];
  for (int i = 0; i < 128; ++i) values[i] = static_cast<float>(i);
  cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice);
  if (is("overrun")) overrun<<<1, 32>>>(reinterpret_cast<int*>(out), 125);
  if (is("assert")) asserts<<<1, 32>>>(30);
  if (is("race")) races<<<1, 64>>>(reinterpret_cast<int*>(out));
  if (is("deadlock")) waits_for_ever<<<1, 64>>>();
  if (is("meet")) meets<<<2, 32>>>(reinterpret_cast<int*>(out));
  if (count < 2) sums<<<2, 64>>>(out, in, 128, Point{1.5f, 7, {2.0, 3.0}});
  const cudaError_t error = cudaDeviceSynchronize();
  if (error == cudaSuccess) cudaMemcpy(values, out, sizeof values, cudaMemcpyDeviceToHost);
  std::printf("%s, out[70] = %g\n", cudaGetErrorName(error), error == cudaSuccess ? values[70] : 0.0f);
  return error == cudaSuccess ? 0 : 3;
}

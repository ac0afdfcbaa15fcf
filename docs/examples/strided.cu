// The example of docs/engineer.md: reads with strides from 1 to 32, to be run on the virtual GPU.
#include <cuda_runtime.h>

#include <cstdio>

//! [kernel]
__global__ void read_strided(const float* in, float* out, int stride) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i * stride];
}
//! [kernel]

int main() {
  constexpr int kThreads = 256, kLargest = 32;
  float *in = nullptr, *out = nullptr;
  cudaMalloc(&in, kThreads * kLargest * sizeof(float));
  cudaMalloc(&out, kThreads * sizeof(float));
  cudaMemset(in, 0, kThreads * kLargest * sizeof(float));
  //! [launches]
  for (int stride = 1; stride <= kLargest; stride *= 2) read_strided<<<1, kThreads>>>(in, out, stride);
  //! [launches]
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  return error == cudaSuccess ? 0 : 1;
}

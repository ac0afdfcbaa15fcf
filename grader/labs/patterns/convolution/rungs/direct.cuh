// Makes all weights of the separable filter, for the rungs that apply them one by one. All but convolve_separable() is
// that of the solution.
#define convolve_separable solution_convolve_separable
#include "solutions/patterns/convolution/convolution.cu"
#undef convolve_separable

__device__ float all_weights[kMostWeights];

__global__ void multiply_weights(const float* weights, int side) {
  for (int k = threadIdx.x; k < side * side; k += blockDim.x)
    all_weights[k] = weights[k / side] * weights[side + k % side];
}

inline const float* direct_filter(const float* weights, int radius) {
  multiply_weights<<<1, 256>>>(weights, 2 * radius + 1);
  void* filter = nullptr;
  WB_CHECK(cudaGetSymbolAddress(&filter, all_weights));
  return static_cast<const float*>(filter);
}

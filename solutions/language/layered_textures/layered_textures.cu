// Exercise layered_textures: stacks of images in one texture, and cubes. See layered_textures.h.
#include "common/cuda/check.cuh"
#include "layered_textures.h"

// BEGIN SOLUTION
// TODO(student): write both kernels, and what they share. (30 lines)
__global__ void read_layers(cudaTextureObject_t texture, const int* at, float* out, int count) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k < count) out[k] = tex2DLayered<float>(texture, at[3 * k] + 0.5f, at[3 * k + 1] + 0.5f, at[3 * k + 2]);
}
__global__ void read_cube(cudaTextureObject_t texture, const float* at, float* out, int count) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k < count) out[k] = texCubemap<float>(texture, at[3 * k], at[3 * k + 1], at[3 * k + 2]);
}
template <class At>
void read(const float* texels, std::size_t size, std::size_t layers, unsigned flags, const At& launch) {
  const auto format = cudaCreateChannelDesc<float>();
  cudaMemcpy3DParms copy{.srcPtr = make_cudaPitchedPtr(const_cast<float*>(texels), 4 * size, size, size),
                         .extent = {size, size, layers},
                         .kind = cudaMemcpyDeviceToDevice};
  WB_CHECK(cudaMalloc3DArray(&copy.dstArray, &format, copy.extent, flags));
  WB_CHECK(cudaMemcpy3D(&copy));
  const cudaResourceDesc resource{.resType = cudaResourceTypeArray, .res = {.array = {copy.dstArray}}};
  const cudaTextureDesc how{.filterMode = cudaFilterModePoint, .normalizedCoords = flags == cudaArrayCubemap};
  cudaTextureObject_t texture = 0;
  WB_CHECK(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
  launch(texture);
  WB_CHECK(cudaDeviceSynchronize());
  WB_CHECK(cudaDestroyTextureObject(texture));
  WB_CHECK(cudaFreeArray(copy.dstArray));
}
// END SOLUTION

void from_layers(const float* texels, int size, int layers, const int* at, float* out, int count) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): array, object, launch.
  read(texels, size, layers, cudaArrayLayered,
       [=](auto texture) { read_layers<<<(count + 255) / 256, 256>>>(texture, at, out, count); });
  // END SOLUTION
}

void from_cube(const float* texels, int size, const float* at, float* out, int count) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): array, object, launch.
  read(texels, size, 6, cudaArrayCubemap,
       [=](auto texture) { read_cube<<<(count + 255) / 256, 256>>>(texture, at, out, count); });
  // END SOLUTION
}

// Cube maps, single and layered: faces are written through a surface and read by direction, also at edges, by address
// mode.
#include "sample.h"

__device__ float3 direction(int face, float u, float v) {
  switch (face) {
    case 0:
      return make_float3(1, -v, -u);
    case 1:
      return make_float3(-1, -v, u);
    case 2:
      return make_float3(u, 1, v);
    case 3:
      return make_float3(u, -1, -v);
    case 4:
      return make_float3(u, -v, 1);
    default:
      return make_float3(-u, -v, -1);
  }
}
__global__ void fill(cudaSurfaceObject_t s, int width, int layer) {
  const int x = threadIdx.x, y = threadIdx.y, face = blockIdx.x;
  if (layer < 0)
    surfCubemapwrite(face * 100.0f + y * width + x, s, x * 4, y, face);
  else
    surfCubemapLayeredwrite(layer * 1000.0f + face * 100.0f + y * width + x, s, x * 4, y, layer * 6 + face);
}
__global__ void read(cudaTextureObject_t t, int width, int layer, float* out) {
  const int x = threadIdx.x, y = threadIdx.y, face = blockIdx.x;
  const float3 d = direction(face, (x + 0.5f) / width * 2 - 1, (y + 0.5f) / width * 2 - 1);
  out[(face * width + y) * width + x] =
      layer < 0 ? texCubemap<float>(t, d.x, d.y, d.z) : texCubemapLayered<float>(t, d.x, d.y, d.z, layer);
}
__global__ void seam(cudaTextureObject_t t, float* out) {
  const float a = threadIdx.x * 0.19634954f;
  out[threadIdx.x] = texCubemap<float>(t, cosf(a), 0.1f, sinf(a));
}
static int check(const char* what, const std::vector<float>& v, float base, int width) {
  int bad = 0;
  for (int f = 0; f < 6; ++f)
    for (int i = 0; i < width * width; ++i) bad += v[f * width * width + i] != base + f * 100.0f + i;
  std::printf("%s: %d wrong\n", what, bad);
  return bad;
}
int main() {
  const int width = 8;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t cube, layers;
  CUDA(cudaMalloc3DArray(&cube, &format, make_cudaExtent(width, width, 6),
                         cudaArrayCubemap | cudaArraySurfaceLoadStore));
  CUDA(cudaMalloc3DArray(&layers, &format, make_cudaExtent(width, width, 12),
                         cudaArrayCubemap | cudaArrayLayered | cudaArraySurfaceLoadStore));
  float* out;
  CUDA(cudaMalloc(&out, 6 * width * width * 4));
  std::vector<float> got(6 * width * width);
  int bad = 0;
  for (cudaArray_t array : {cube, layers}) {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaSurfaceObject_t surface;
    CUDA(cudaCreateSurfaceObject(&surface, &resource));
    if (array == cube)
      fill<<<6, dim3(width, width)>>>(surface, width, -1);
    else
      for (int l = 0; l < 2; ++l) fill<<<6, dim3(width, width)>>>(surface, width, l);
    CUDA(cudaDeviceSynchronize());
    cudaTextureDesc description{};
    for (auto& m : description.addressMode) m = cudaAddressModeWrap;
    description.filterMode = cudaFilterModePoint;
    description.normalizedCoords = 1;
    cudaTextureObject_t texture;
    CUDA(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
    for (int l = array == cube ? -1 : 0; l < (array == cube ? 0 : 2); ++l) {
      read<<<6, dim3(width, width)>>>(texture, width, l, out);
      CUDA(cudaMemcpy(got.data(), out, got.size() * 4, cudaMemcpyDeviceToHost));
      bad += check(l < 0 ? "cube" : "layer", got, l < 0 ? 0 : l * 1000.0f, width);
    }
    CUDA(cudaDestroyTextureObject(texture));
    if (array == cube) {
      description.filterMode = cudaFilterModeLinear;
      CUDA(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
      seam<<<1, 32>>>(texture, out);
      CUDA(cudaMemcpy(got.data(), out, 32 * 4, cudaMemcpyDeviceToHost));
      for (int i = 0; i < 32; ++i) std::printf("%g%c", got[i], i % 8 == 7 ? '\n' : ' ');
      CUDA(cudaDestroyTextureObject(texture));
    }
    CUDA(cudaDestroySurfaceObject(surface));
    cudaExtent extent;
    cudaChannelFormatDesc back;
    unsigned flags;
    CUDA(cudaArrayGetInfo(&back, &extent, &flags, array));
    std::printf("%zu x %zu x %zu, flags %u, %d bits\n", extent.width, extent.height, extent.depth, flags, back.x);
    CUDA(cudaFreeArray(array));
  }
  sample::differences += bad;
  return sample::passed();
}

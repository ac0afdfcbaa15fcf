// Cube map reads at and near the edges and corners of faces, by address mode and filter, seamless and not.
// h200_cube_edges.txt holds what an H200 (driver 580.159, CUDA 13.0) printed on 2026-11-24.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

constexpr int kWidth = 4, kDirections = 160;

__global__ void read(cudaTextureObject_t texture, const float3* directions, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = texCubemap<float>(texture, directions[i].x, directions[i].y, directions[i].z);
}

static std::vector<float3> make_directions() {
  std::vector<float3> made;
  const auto add = [&](float x, float y, float z) { made.push_back(make_float3(x, y, z)); };
  const float near[] = {1.0f, -1.0f, 0.99f, -0.99f, 0.9f, -0.9f, 0.875f, -0.875f};
  for (const float a : near) {
    add(a, 0.3f, 1);
    add(1, 0.3f, a);
    add(-1, a, 0.3f);
    add(0.3f, 1, a);
    add(a, -1, 0.3f);
    add(a, 0.3f, -1);
  }
  for (const float a : near)
    for (const float b : {1.0f, -1.0f, 0.95f}) {
      add(a, b, 1);
      add(b, a, -1);
    }
  while (made.size() < kDirections) {
    const float a = made.size() * 0.37f;
    add(std::cos(a), 0.7f * std::sin(3 * a), std::sin(a));
  }
  return made;
}

static void print(cudaArray_t cube, const float3* directions, float* out, int mode, int linear, int seamless) {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = cube;
  cudaTextureDesc description{};
  description.addressMode[0] = description.addressMode[2] = static_cast<cudaTextureAddressMode>(mode);
  description.addressMode[1] = static_cast<cudaTextureAddressMode>(mode == 0 ? cudaAddressModeMirror : mode);
  description.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
  description.normalizedCoords = 1;
  description.seamlessCubemap = seamless;
  description.borderColor[0] = 7777;
  cudaTextureObject_t texture = 0;
  const cudaError_t error = cudaCreateTextureObject(&texture, &resource, &description, nullptr);
  std::printf("mode %d linear %d seamless %d: %s\n", mode, linear, seamless, cudaGetErrorName(error));
  read<<<kDirections / 32, 32>>>(texture, directions, out);
  float values[kDirections];
  cudaMemcpy(values, out, sizeof values, cudaMemcpyDeviceToHost);
  for (int i = 0; i < kDirections; ++i) {
    unsigned bits;
    std::memcpy(&bits, &values[i], sizeof bits);
    std::printf("%08x%c", bits, i % 16 == 15 ? '\n' : ' ');
  }
}

int main() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  const cudaExtent extent = make_cudaExtent(kWidth, kWidth, 6);
  cudaArray_t cube;
  cudaMalloc3DArray(&cube, &format, extent, cudaArrayCubemap);
  std::vector<float> texels(6 * kWidth * kWidth);
  for (std::size_t i = 0; i < texels.size(); ++i) texels[i] = static_cast<float>(i / 16 * 100 + i % 16);
  cudaMemcpy3DParms copy{};
  copy.srcPtr = make_cudaPitchedPtr(texels.data(), kWidth * sizeof(float), kWidth, kWidth);
  copy.dstArray = cube;
  copy.extent = extent;
  copy.kind = cudaMemcpyHostToDevice;
  cudaMemcpy3D(&copy);
  const std::vector<float3> host = make_directions();
  float3* directions;
  float* out;
  cudaMalloc(&directions, kDirections * sizeof(float3));
  cudaMalloc(&out, kDirections * sizeof(float));
  cudaMemcpy(directions, host.data(), kDirections * sizeof(float3), cudaMemcpyHostToDevice);
  for (int mode = 0; mode < 4; ++mode)
    for (int linear = 0; linear < 2; ++linear)
      for (int seamless = 0; seamless < 2; ++seamless) print(cube, directions, out, mode, linear, seamless);
}

// One warp reads a texture or a surface once, or writes one: 407 kernels. h200_texture_counters.csv holds what Nsight
// Compute counted.
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "check.h"

__device__ float sum(float v) { return v; }
__device__ float sum(float2 v) { return v.x + v.y; }
__device__ float sum(float4 v) { return v.x + v.y + v.z + v.w; }
__device__ float sum(unsigned char v) { return v; }
__device__ float sum(unsigned short v) { return v; }
__device__ float sum(uchar4 v) { return v.x + v.w; }
__device__ float sum(short4 v) { return v.x + v.w; }
enum Kind { buffer, pitch, a1, a2, a3, l1, l2, cube, s1, s2, s3, sl2, w1, w2, w3, wl2, gather };
static const char* const kKinds[] = {"buffer",      "pitch",        "tex1D",        "tex2D",
                                     "tex3D",       "tex1DLayered", "tex2DLayered", "cubemap",
                                     "surf1Dread",  "surf2Dread",   "surf3Dread",   "surf2DLayeredread",
                                     "surf1Dwrite", "surf2Dwrite",  "surf3Dwrite",  "surf2DLayeredwrite",
                                     "gather"};
template <class T, int K>
__global__ void touch(float* out, unsigned long long o, const float4* at) {
  const float4 p = at[threadIdx.x];
  if (p.w == 0) return;
  const int x = int(p.x), y = int(p.y), z = int(p.z);
  T v{};
  if constexpr (K == buffer) v = tex1Dfetch<T>(o, x);
  if constexpr (K == pitch || K == a2) v = tex2D<T>(o, p.x, p.y);
  if constexpr (K == a1) v = tex1D<T>(o, p.x);
  if constexpr (K == a3) v = tex3D<T>(o, p.x, p.y, p.z);
  if constexpr (K == l1) v = tex1DLayered<T>(o, p.x, y);
  if constexpr (K == l2) v = tex2DLayered<T>(o, p.x, p.y, z);
  if constexpr (K == cube) v = texCubemap<T>(o, p.x, p.y, p.z);
  if constexpr (K == gather) {
    float4 g = tex2Dgather<float4>(o, p.x, p.y, 0);
    out[threadIdx.x] = sum(g);
    return;
  }
  if constexpr (K == s1) v = surf1Dread<T>(o, x * int(sizeof(T)));
  if constexpr (K == s2) v = surf2Dread<T>(o, x * int(sizeof(T)), y);
  if constexpr (K == s3) v = surf3Dread<T>(o, x * int(sizeof(T)), y, z);
  if constexpr (K == sl2) v = surf2DLayeredread<T>(o, x * int(sizeof(T)), y, z);
  if constexpr (K == w1) surf1Dwrite<T>(v, o, x * int(sizeof(T)));
  if constexpr (K == w2) surf2Dwrite<T>(v, o, x * int(sizeof(T)), y);
  if constexpr (K == w3) surf3Dwrite<T>(v, o, x * int(sizeof(T)), y, z);
  if constexpr (K == wl2) surf2DLayeredwrite<T>(v, o, x * int(sizeof(T)), y, z);
  if constexpr (K < w1) out[threadIdx.x] = sum(v);
}
static float4* device_at;
static float* out;
struct Pattern {
  const char* name;
  float4 at[32];
};
static std::vector<Pattern> patterns(bool cubes) {
  std::vector<Pattern> all;
  auto add = [&](const char* n, auto f) {
    Pattern p{n, {}};
    for (int i = 0; i < 32; ++i) p.at[i] = f(i);
    all.push_back(p);
  };
  auto P = [](float x, float y, float z, bool on = true) {
    return make_float4(x + .5f, y + .5f, z + .5f, on ? 1.f : 0.f);
  };
  if (cubes) {
    add("row", [](int i) { return make_float4(1, i / 32.f - .5f, .1f, 1); });
    add("spread", [](int i) { return make_float4(i % 3 - 1.f, (i / 3) % 3 - 1.f, i % 7 - 3.f, 1); });
    return all;
  }
  add("row", [&](int i) { return P(i, 0, 0); });
  add("8x4", [&](int i) { return P(i % 8, i / 8, 0); });
  add("4x8", [&](int i) { return P(i % 4, i / 4, 0); });
  add("16x2", [&](int i) { return P(i % 16, i / 16, 0); });
  add("2x16", [&](int i) { return P(i % 2, i / 2, 0); });
  add("quads", [&](int i) { return P(i / 4 * 2 + i % 2, i / 2 % 2, 0); });
  add("column", [&](int i) { return P(0, i, 0); });
  add("one", [&](int i) { return P(3, 3, 0); });
  add("stride2", [&](int i) { return P(2 * i, 0, 0); });
  add("random", [&](int i) { return P(i * 37 % 61, i * 11 % 29, i * 5 % 4); });
  add("4x4x2", [&](int i) { return P(i % 4, i / 4 % 4, i / 16); });
  add("lanes0-15", [&](int i) { return P(i, 0, 0, i < 16); });
  add("lane0", [&](int i) { return P(i, 0, 0, i == 0); });
  add("lanes0-4", [&](int i) { return P(i, 0, 0, i < 5); });
  add("every4th", [&](int i) { return P(i, 0, 0, i % 4 == 0); });
  add("every8th", [&](int i) { return P(i, 0, 0, i % 8 == 0); });
  add("row+3", [&](int i) { return P(i + 3, 5, 0); });
  add("row+.25", [&](int i) {
    auto p = P(i, 0, 0);
    p.x += .25f;
    p.y += .25f;
    p.z += .25f;
    return p;
  });
  add("8x4+.25", [&](int i) {
    auto p = P(i % 8, i / 8, 0);
    p.x += .25f;
    p.y += .25f;
    p.z += .25f;
    return p;
  });
  add("random+.25", [&](int i) {
    auto p = P(i * 37 % 60, i * 11 % 29, i * 5 % 3);
    p.x += .25f;
    p.y += .25f;
    p.z += .25f;
    return p;
  });
  return all;
}
static int number;
template <class T, int K>
void run(const char* type, bool linear, std::vector<std::string> only = {}) {
  cudaChannelFormatDesc f = cudaCreateChannelDesc<T>();
  cudaResourceDesc r{};
  cudaArray_t a = nullptr;
  void* m = nullptr;
  const bool surface = K >= s1 && K <= wl2;
  if (K == buffer) {
    PRINT_FAILURE(cudaMalloc(&m, 1 << 16));
    r.resType = cudaResourceTypeLinear;
    r.res.linear = {m, f, 1 << 16};
  } else if (K == pitch) {
    size_t s;
    PRINT_FAILURE(cudaMallocPitch(&m, &s, 64 * sizeof(T), 64));
    r.resType = cudaResourceTypePitch2D;
    r.res.pitch2D = {m, f, 64, 64, s};
  } else {
    int w = 64, h = 64, d = 4;
    unsigned flags = surface ? cudaArraySurfaceLoadStore : 0;
    if (K == a1 || K == s1 || K == w1) h = d = 0;
    if (K == a2 || K == s2 || K == w2 || K == gather) d = 0;
    if (K == gather) flags |= cudaArrayTextureGather;
    if (K == l1) {
      h = 0;
      d = 64;
      flags |= cudaArrayLayered;
    }
    if (K == l2 || K == sl2 || K == wl2) flags |= cudaArrayLayered;
    if (K == cube) {
      d = 6;
      flags |= cudaArrayCubemap;
    }
    PRINT_FAILURE(cudaMalloc3DArray(&a, &f, make_cudaExtent(w, h, d), flags));
    r.resType = cudaResourceTypeArray;
    r.res.array.array = a;
  }
  unsigned long long o = 0;
  if (surface) {
    PRINT_FAILURE(cudaCreateSurfaceObject(&o, &r));
  } else {
    cudaTextureDesc t{};
    for (auto& x : t.addressMode) x = cudaAddressModeClamp;
    t.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
    t.readMode = cudaReadModeElementType;
    t.normalizedCoords = K == cube;
    PRINT_FAILURE(cudaCreateTextureObject(&o, &r, &t, nullptr));
  }
  for (const Pattern& p : patterns(K == cube)) {
    if (!only.empty()) {
      bool in = false;
      for (auto& n : only) in |= n == p.name;
      if (!in) continue;
    }
    if (K == buffer && !strchr("rslqo", p.name[0]) && strcmp(p.name, "every4th") && strcmp(p.name, "every8th"))
      continue;
    PRINT_FAILURE(cudaMemcpy(device_at, p.at, sizeof p.at, cudaMemcpyHostToDevice));
    touch<T, K><<<1, 32>>>(out, o, device_at);
    PRINT_FAILURE(cudaDeviceSynchronize());
    printf("%d,%s,%s,%s,%s\n", number++, kKinds[K], type, linear ? "linear" : "point", p.name);
  }
}
int main() {
  PRINT_FAILURE(cudaMalloc(&device_at, 512));
  PRINT_FAILURE(cudaMalloc(&out, 4096));
  std::vector<std::string> few = {"row", "8x4", "2x16", "random", "lanes0-4", "one"};
  run<float, buffer>("float", false);
  run<float, pitch>("float", false);
  run<float, a1>("float", false,
                 {"row", "one", "stride2", "random", "lanes0-15", "lane0", "lanes0-4", "every4th", "row+3"});
  run<float, a2>("float", false);
  run<float, a3>("float", false);
  run<float, l1>("float", false, few);
  run<float, l2>("float", false, few);
  run<float, cube>("float", false);
  run<float, cube>("float", true);
  run<float, a1>("float", true, {"row", "row+.25", "random+.25", "lanes0-4", "one"});
  run<float, a2>("float", true);
  run<float, a3>("float", true);
  run<float, pitch>("float", true, few);
  run<float, l2>("float", true, few);
  run<unsigned char, a2>("uchar", false, few);
  run<unsigned short, a2>("ushort", false, few);
  run<uchar4, a2>("uchar4", false, few);
  run<float2, a2>("float2", false);
  run<float4, a2>("float4", false);
  run<float4, a2>("float4", true, few);
  run<float2, a2>("float2", true, few);
  run<unsigned char, buffer>("uchar", false);
  run<float4, buffer>("float4", false);
  run<float4, a3>("float4", false, few);
  run<float, gather>("float", false, few);
  run<float, s1>("float", false, {"row", "one", "stride2", "random", "lanes0-15", "lane0", "lanes0-4", "every4th"});
  run<float, s2>("float", false);
  run<float, s3>("float", false);
  run<float, sl2>("float", false, few);
  run<float, w1>("float", false, {"row", "one", "stride2", "random", "lanes0-15", "lane0", "lanes0-4", "every4th"});
  run<float, w2>("float", false);
  run<float, w3>("float", false);
  run<float, wl2>("float", false, few);
  run<unsigned char, s2>("uchar", false, few);
  run<float4, s2>("float4", false, few);
  run<unsigned char, w2>("uchar", false, few);
  run<float4, w2>("float4", false, few);
  run<float2, w2>("float2", false, few);
  run<unsigned short, w2>("ushort", false, few);
}

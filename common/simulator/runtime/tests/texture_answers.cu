// Results of texture reads, bit by bit: a digest for each way to read one. h200_textures.txt holds an H200's results.
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "check.h"

static uint64_t mix(uint64_t x) {
  x += 0x9E3779B97F4A7C15ull;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
  return x ^ (x >> 31);
}
static float unit(uint64_t k) { return float(mix(k) >> 40) / 16777216.0f; }
enum Op { t1, t2, t3, tc, tlod, g2 };
__global__ void read(int op, float4* out, cudaTextureObject_t t, const float4* at, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4 p = at[i], r = make_float4(0, 0, 0, 0);
  switch (op) {
    case t1:
      r.x = tex1D<float>(t, p.x);
      break;
    case t2:
      r.x = tex2D<float>(t, p.x, p.y);
      break;
    case t3:
      r.x = tex3D<float>(t, p.x, p.y, p.z);
      break;
    case tc:
      r.x = texCubemap<float>(t, p.x, p.y, p.z);
      break;
    case tlod:
      r.x = tex2DLod<float>(t, p.x, p.y, p.z);
      break;
    case g2:
      r = tex2Dgather<float4>(t, p.x, p.y, 0);
      break;
  }
  out[i] = r;
}
static void ask(const char* name, int op, cudaTextureObject_t t, const std::vector<float4>& at, bool four = false) {
  float4 *d, *o;
  int n = int(at.size());
  PRINT_FAILURE(cudaMalloc(&d, n * 16));
  PRINT_FAILURE(cudaMalloc(&o, n * 16));
  PRINT_FAILURE(cudaMemcpy(d, at.data(), n * 16, cudaMemcpyHostToDevice));
  read<<<(n + 127) / 128, 128>>>(op, o, t, d, n);
  PRINT_FAILURE(cudaDeviceSynchronize());
  std::vector<float4> r(n);
  PRINT_FAILURE(cudaMemcpy(r.data(), o, n * 16, cudaMemcpyDeviceToHost));
  // FNV-1a over the words.
  uint64_t digest = 0xcbf29ce484222325ull;
  for (const float4& v : r)
    for (int k = 0; k < (four ? 4 : 1); ++k) {
      uint32_t w;
      std::memcpy(&w, &v.x + k, 4);
      digest = (digest ^ w) * 0x100000001b3ull;
    }
  printf("%s %d %016llx\n", name, n, static_cast<unsigned long long>(digest));
  PRINT_FAILURE(cudaFree(d));
  PRINT_FAILURE(cudaFree(o));
}
template <class T>
static cudaArray_t array_of(const std::vector<T>& v, int w, int h, int d, unsigned flags) {
  cudaArray_t a;
  cudaChannelFormatDesc f = cudaCreateChannelDesc<T>();
  PRINT_FAILURE(cudaMalloc3DArray(&a, &f, make_cudaExtent(w, h, d), flags));
  cudaMemcpy3DParms p{};
  p.srcPtr = make_cudaPitchedPtr(const_cast<T*>(v.data()), w * sizeof(T), w, h ? h : 1);
  p.dstArray = a;
  p.extent = make_cudaExtent(w, h ? h : 1, d ? d : 1);
  p.kind = cudaMemcpyHostToDevice;
  PRINT_FAILURE(cudaMemcpy3D(&p));
  return a;
}
static cudaTextureObject_t texture(cudaArray_t a, bool linear, bool normalized, cudaTextureAddressMode mode,
                                   bool unorm = false, float border = 0) {
  cudaResourceDesc r{};
  r.resType = cudaResourceTypeArray;
  r.res.array.array = a;
  cudaTextureDesc t{};
  for (auto& m : t.addressMode) m = mode;
  t.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
  t.readMode = unorm ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
  t.normalizedCoords = normalized;
  for (float& b : t.borderColor) b = border;
  cudaTextureObject_t o = 0;
  PRINT_FAILURE(cudaCreateTextureObject(&o, &r, &t, nullptr));
  return o;
}
template <class T>
static std::vector<T> random_texels(int n, int seed) {
  std::vector<T> v(n);
  for (int i = 0; i < n; ++i) {
    uint64_t h = mix(seed * 1000003ull + i);
    if constexpr (std::is_same_v<T, float>)
      v[i] = (i % 5 == 4 ? 1000.0f : 2.0f) * (float(h >> 40) / 16777216.0f - 0.5f);
    else
      v[i] = T(h);
  }
  return v;
}
static std::vector<float4> points(int n, int seed, float lo, float hi) {
  std::vector<float4> p(n);
  for (int i = 0; i < n; ++i)
    p[i] = make_float4(lo + (hi - lo) * unit(seed + 8ull * i), lo + (hi - lo) * unit(seed + 8ull * i + 1),
                       lo + (hi - lo) * unit(seed + 8ull * i + 2), 0);
  return p;
}
int main() {
  const auto clamp = cudaAddressModeClamp, wrap = cudaAddressModeWrap, mirror = cudaAddressModeMirror,
             border = cudaAddressModeBorder;
  auto f1 = array_of(random_texels<float>(64, 1), 64, 0, 0, 0);
  auto f2 = array_of(random_texels<float>(16 * 16, 2), 16, 16, 0, cudaArrayTextureGather);
  auto f3 = array_of(random_texels<float>(8 * 8 * 8, 3), 8, 8, 8, 0);
  auto u1 = array_of(random_texels<unsigned char>(64, 4), 64, 0, 0, 0);
  auto u2 = array_of(random_texels<unsigned char>(256, 5), 16, 16, 0, 0);
  auto u3 = array_of(random_texels<unsigned char>(512, 6), 8, 8, 8, 0);
  auto s2 = array_of(random_texels<short>(256, 7), 16, 16, 0, 0);
  auto w2 = array_of(random_texels<unsigned short>(256, 8), 16, 16, 0, 0);
  auto b2 = array_of(random_texels<signed char>(256, 9), 16, 16, 0, 0);
  ask("f1", t1, texture(f1, true, false, clamp), points(300, 100, -2, 66));
  ask("f2", t2, texture(f2, true, false, clamp), points(600, 200, -1, 17));
  ask("f3", t3, texture(f3, true, false, clamp), points(600, 300, -1, 9));
  ask("f3border", t3, texture(f3, true, false, border, false, 0.5f), points(300, 350, -1, 9));
  ask("u1", t1, texture(u1, true, false, clamp, true), points(300, 400, -2, 66));
  ask("u2", t2, texture(u2, true, false, clamp, true), points(400, 500, -1, 17));
  ask("u3", t3, texture(u3, true, false, clamp, true), points(400, 600, -1, 9));
  ask("u3border", t3, texture(u3, true, false, border, true, 0.5f), points(400, 650, -1, 9));
  ask("s2", t2, texture(s2, true, false, clamp, true), points(300, 700, -1, 17));
  ask("w2", t2, texture(w2, true, false, clamp, true), points(300, 800, -1, 17));
  ask("u2point", t2, texture(u2, false, false, clamp, true), points(300, 950, -1, 17));
  ask("b2point", t2, texture(b2, false, false, clamp, true), points(100, 960, -1, 17));
  ask("s2point", t2, texture(s2, false, false, clamp, true), points(100, 970, -1, 17));
  ask("w2point", t2, texture(w2, false, false, clamp, true), points(100, 980, -1, 17));
  ask("f2wrap", t2, texture(f2, true, true, wrap), points(300, 1000, -2, 2));
  ask("f2mirror", t2, texture(f2, true, true, mirror), points(300, 1100, -2, 2));
  ask("f2clampn", t2, texture(f2, true, true, clamp), points(200, 1200, -0.2f, 1.2f));
  ask("f2bordern", t2, texture(f2, true, true, border), points(200, 1300, -0.2f, 1.2f));
  ask("f2wrappoint", t2, texture(f2, false, true, wrap), points(200, 1400, -2, 2));
  ask("f2mirrorpoint", t2, texture(f2, false, true, mirror), points(200, 1500, -2, 2));
  ask("gather", g2, texture(f2, false, false, clamp), points(200, 1600, -1, 17), true);
  ask("gatherlinear", g2, texture(f2, true, false, clamp), points(100, 1700, -1, 17), true);
  {  // halves of texels: where fractions round
    std::vector<float4> p;
    for (int i = 0; i < 600; ++i) p.push_back(make_float4(3.5f + i / 1024.0f, 5.5f, 0, 0));
    std::vector<float> ramp(256, 0);
    for (int i = 0; i < 256; ++i) ramp[i] = float(i % 16);
    ask("ramp", t2, texture(array_of(ramp, 16, 16, 0, 0), true, false, clamp), p);
    for (auto& q : p) {
      q.y = 5.5f + (q.x - 3.5f) / 2;
    }
    std::vector<float> one(256, 0);
    one[5 * 16 + 3] = 1;
    one[6 * 16 + 4] = 4096;
    one[5 * 16 + 4] = 0.0625f;
    one[6 * 16 + 3] = 64;
    ask("corner", t2, texture(array_of(one, 16, 16, 0, 0), true, false, clamp), p);
  }
  {  // cube
    cudaArray_t a;
    auto f = cudaCreateChannelDesc<float>();
    PRINT_FAILURE(cudaMalloc3DArray(&a, &f, make_cudaExtent(8, 8, 6), cudaArrayCubemap));
    std::vector<float> v(384);
    for (int i = 0; i < 384; ++i) v[i] = float(i);
    cudaMemcpy3DParms p{};
    p.srcPtr = make_cudaPitchedPtr(v.data(), 32, 8, 8);
    p.dstArray = a;
    p.extent = make_cudaExtent(8, 8, 6);
    p.kind = cudaMemcpyHostToDevice;
    PRINT_FAILURE(cudaMemcpy3D(&p));
    auto q = points(400, 2000, -1, 1);
    const float ties[][3] = {{1, 1, 1},   {1, 1, 0},   {1, 0, 1},   {0, 1, 1},    {-1, 1, 1}, {1, -1, 1}, {1, 1, -1},
                             {-1, -1, 1}, {-1, 1, -1}, {1, -1, -1}, {-1, -1, -1}, {1, 0, 0},  {0, 1, 0},  {0, 0, 1},
                             {-1, 0, 0},  {0, -1, 0},  {0, 0, -1},  {0, 0, 0},    {-1, 1, 0}, {1, 0, -1}, {0, -1, 1}};
    for (auto& t : ties) q.push_back(make_float4(t[0], t[1], t[2], 0));
    ask("cubepoint", tc, texture(a, false, true, clamp), q);
    ask("cubelinear", tc, texture(a, true, true, clamp), q);
  }
  {  // mipmaps
    cudaMipmappedArray_t m;
    auto f = cudaCreateChannelDesc<float>();
    PRINT_FAILURE(cudaMallocMipmappedArray(&m, &f, make_cudaExtent(32, 32, 0), 6, 0));
    for (int l = 0; l < 6; ++l) {
      cudaArray_t a;
      PRINT_FAILURE(cudaGetMipmappedArrayLevel(&a, m, l));
      int w = 32 >> l;
      auto v = random_texels<float>(w * w, 50 + l);
      for (float& x : v) x = l * 10 + x / 1000;
      PRINT_FAILURE(cudaMemcpy2DToArray(a, 0, 0, v.data(), w * 4, w * 4, w, cudaMemcpyHostToDevice));
    }
    for (int mode = 0; mode < 4; ++mode) {
      cudaResourceDesc r{};
      r.resType = cudaResourceTypeMipmappedArray;
      r.res.mipmap.mipmap = m;
      cudaTextureDesc t{};
      for (auto& x : t.addressMode) x = clamp;
      t.filterMode = mode & 1 ? cudaFilterModeLinear : cudaFilterModePoint;
      t.mipmapFilterMode = mode & 2 ? cudaFilterModeLinear : cudaFilterModePoint;
      t.normalizedCoords = 1;
      t.maxMipmapLevelClamp = 5;
      cudaTextureObject_t o = 0;
      PRINT_FAILURE(cudaCreateTextureObject(&o, &r, &t, nullptr));
      auto q = points(300, 3000 + mode, 0, 1);
      for (size_t i = 0; i < q.size(); ++i) q[i].z = -0.5f + 6.5f * q[i].z;
      for (int i = 0; i < 300; ++i) q.push_back(make_float4(0.5f, 0.5f, i / 128.0f, 0));
      char n[20];
      snprintf(n, 20, "lod%d", mode);
      ask(n, tlod, o, q);
      if (mode == 3) {
        t.maxAnisotropy = 0;
        t.mipmapLevelBias = 0.7f;
        t.minMipmapLevelClamp = 1.3f;
        t.maxMipmapLevelClamp = 3.6f;
        PRINT_FAILURE(cudaCreateTextureObject(&o, &r, &t, nullptr));
        q.clear();
        for (int i = 0; i < 200; ++i) q.push_back(make_float4(0.4f, 0.6f, i / 30.0f, 0));
        ask("bias", tlod, o, q);
      }
    }
  }
}

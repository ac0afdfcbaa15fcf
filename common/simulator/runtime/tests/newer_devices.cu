// What nvcc 13 makes of ordinary CUDA for compute capability 10.0: pairs of floats, 256-bit accesses, the smallest of
// three, scales of blocks and formats of 8, 6 and 4 bits, reductions of floats, blocks that take over others. The host
// computes the same with the functions of CUDA's headers.
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>

#include <cmath>
#include <cstring>
#include <cuda/ptx>
#include <cuda/work_stealing>
#include <vector>

#include "check.h"

namespace {

constexpr int kCount = 1024;

template <class T>
T* managed(int count) {
  T* made = nullptr;
  SUCCEEDS(cudaMallocManaged(&made, count * sizeof(T)));
  return made;
}

/// Values of all magnitudes and signs, with zeros, infinities and a NaN.
float value(int i) {
  const float special[] = {0.0f, -0.0f, INFINITY, -INFINITY, NAN, 1.0f, -1.0f, 448.0f, 6.0f, 1e-40f, 5.9e-39f, 3.4e38f};
  if (i % 16 < 12) return special[i % 16] * (i / 16 % 3 == 2 ? 0.75f : 1.0f);
  return std::ldexp((i * 37 % 101 - 50) / 32.0f, i * 7 % 60 - 30);
}

struct Small {
  unsigned short scale_down, scale_up, scale_down_finite, scale_up_finite, fp8, fp6;
  unsigned char fp4;
  float half_of_scale;
};

__host__ __device__ Small convert(float2 x) {
  Small made = {};
  made.scale_down = __nv_cvt_float2_to_e8m0x2(x, __NV_NOSAT, cudaRoundZero);
  made.scale_up = __nv_cvt_float2_to_e8m0x2(x, __NV_NOSAT, cudaRoundPosInf);
  made.scale_down_finite = __nv_cvt_float2_to_e8m0x2(x, __NV_SATFINITE, cudaRoundZero);
  made.scale_up_finite = __nv_cvt_float2_to_e8m0x2(x, __NV_SATFINITE, cudaRoundPosInf);
  made.fp8 = __nv_cvt_float2_to_fp8x2(x, __NV_SATFINITE, __NV_E4M3);
  made.fp6 = __nv_cvt_float2_to_fp6x2(x, __NV_E3M2, cudaRoundNearest);
  made.fp4 = __nv_cvt_float2_to_fp4x2(x, __NV_E2M1, cudaRoundNearest);
  const __nv_bfloat16_raw half = __nv_cvt_e8m0_to_bf16raw(static_cast<__nv_fp8_storage_t>(made.scale_up));
  made.half_of_scale = half.x;
  return made;
}

__global__ void convert_all(const float2* in, Small* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = convert(in[i]);
}

void check_conversions() {
  auto* const in = managed<float2>(kCount);
  auto* const out = managed<Small>(kCount);
  for (int i = 0; i < kCount; ++i) in[i] = {value(i), value(i * 5 + 3)};
  convert_all<<<kCount / 128, 128>>>(in, out);
  SUCCEEDS(cudaDeviceSynchronize());
  int wrong = 0;
  for (int i = 0; i < kCount; ++i) {
    const Small wanted = convert(in[i]), got = out[i];
    wrong += got.scale_down != wanted.scale_down || got.scale_up != wanted.scale_up ||
             got.scale_down_finite != wanted.scale_down_finite || got.scale_up_finite != wanted.scale_up_finite ||
             got.fp8 != wanted.fp8 || got.fp6 != wanted.fp6 || got.fp4 != wanted.fp4 ||
             got.half_of_scale != wanted.half_of_scale;
  }
  CHECK(wrong == 0);
}

__global__ void multiply_pairs(const float2* a, float2* out) {
  const int i = threadIdx.x;
  out[i] = __ffma2_rn(a[i], a[i + 32], make_float2(0.5f, -2.0f));
  out[i + 32] = __ffma2_ru(a[i], a[i + 32], a[i + 1]);
}

void check_pairs() {
  auto* const in = managed<float2>(64);
  auto* const out = managed<float2>(64);
  for (int i = 0; i < 64; ++i) in[i] = {1.0f + i * 1.25e-6f, -3.0f / (i + 1)};
  multiply_pairs<<<1, 32>>>(in, out);
  SUCCEEDS(cudaDeviceSynchronize());
  bool same = true, above = true;
  for (int i = 0; i < 32; ++i) {
    same =
        same && out[i].x == std::fma(in[i].x, in[i + 32].x, 0.5f) && out[i].y == std::fma(in[i].y, in[i + 32].y, -2.0f);
    const double exact = double{in[i].x} * in[i + 32].x + in[i + 1].x;
    above = above && out[i + 32].x >= exact && std::nextafterf(out[i + 32].x, -INFINITY) < exact;
  }
  CHECK(same);
  CHECK(above);
}

struct alignas(32) Eight {
  float values[8];
};

__global__ void move_wide(const double4_32a* doubles, double4_32a* moved, const Eight* floats, Eight* sums) {
  const int i = threadIdx.x;
  const double4_32a x = doubles[i];
  moved[i] = make_double4_32a(x.w, x.z, x.y, x.x);
  Eight sum = floats[i];
  for (float& v : sum.values) v += i;
  sums[i] = sum;
}

void check_wide() {
  auto* const doubles = managed<double4_32a>(128);
  auto* const floats = managed<Eight>(128);
  for (int i = 0; i < 64; ++i) {
    doubles[i] = make_double4_32a(i, i + 0.25, i + 0.5, i + 0.75);
    for (int k = 0; k < 8; ++k) floats[i].values[k] = i * 8 + k;
  }
  move_wide<<<1, 64>>>(doubles, doubles + 64, floats, floats + 64);
  SUCCEEDS(cudaDeviceSynchronize());
  bool same = true;
  for (int i = 0; i < 64; ++i) {
    same = same && doubles[64 + i].x == i + 0.75 && doubles[64 + i].w == i;
    for (int k = 0; k < 8; ++k) same = same && floats[64 + i].values[k] == i * 9 + k;
  }
  CHECK(same);
}

__global__ void extremes(const float* in, float* out) {
  const int i = threadIdx.x;
  out[i] = fminf(fminf(in[i], in[i + 1]), in[i + 2]);
  out[i + 32] = fmaxf(fmaxf(in[i], in[i + 1]), in[i + 2]);
  float least = 0, farthest = 0;
  asm("redux.sync.min.f32 %0, %1, 0xffffffff;" : "=f"(least) : "f"(in[i]));
  if (i < 16) asm("redux.sync.max.abs.NaN.f32 %0, %1, 0xffff;" : "=f"(farthest) : "f"(in[i]));
  out[i + 64] = least;
  out[i + 96] = farthest;
}

void check_extremes() {
  auto* const in = managed<float>(34);
  auto* const out = managed<float>(128);
  for (int i = 0; i < 34; ++i) in[i] = (i * 13 % 34 - 17) * 0.5f;
  in[20] = NAN;
  extremes<<<1, 32>>>(in, out);
  SUCCEEDS(cudaDeviceSynchronize());
  float least = INFINITY, farthest = 0;
  bool same = true;
  for (int i = 0; i < 32; ++i) {
    least = std::fmin(least, in[i]);
    if (i < 16) farthest = std::fmax(farthest, std::fabs(in[i]));
    same = same && out[i] == std::fmin(std::fmin(in[i], in[i + 1]), in[i + 2]);
    same = same && out[i + 32] == std::fmax(std::fmax(in[i], in[i + 1]), in[i + 2]);
  }
  CHECK(same);
  CHECK(out[64] == least);
  CHECK(out[95] == least);
  CHECK(out[96] == farthest);
}

__global__ void count_blocks(int* visits, int* zeros) {
  __shared__ alignas(16) int cleared[64];
  cleared[threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x == 0) cuda::ptx::st_bulk(cleared, sizeof cleared / 2, cuda::ptx::n32_t<0>());
  __syncthreads();
  atomicAdd(zeros, cleared[threadIdx.x] == 0 ? 1 : 0);
  cuda::for_each_canceled_block<1>([=](dim3 block) { atomicAdd(&visits[block.x], 1); });
}

void check_blocks() {
  constexpr int kBlocks = 20;
  auto* const visits = managed<int>(kBlocks + 1);
  std::memset(visits, 0, (kBlocks + 1) * sizeof(int));
  count_blocks<<<kBlocks, 64>>>(visits, visits + kBlocks);
  SUCCEEDS(cudaDeviceSynchronize());
  bool once = true;
  for (int i = 0; i < kBlocks; ++i) once = once && visits[i] == 64;
  CHECK(once);
  CHECK(visits[kBlocks] % 32 == 0);
  CHECK(visits[kBlocks] > 0);
}

}  // namespace

int main() {
  check_conversions();
  check_pairs();
  check_wide();
  check_extremes();
  check_blocks();
  return report();
}

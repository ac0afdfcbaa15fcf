// Half precision and bfloat16: arithmetic of pairs, comparisons, conversions, dot products, atomics.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "sample.h"

namespace {

/// Small integers, so that every step is exact.
__global__ void dot_products(const float* a, const float* b, float* out, int count) {
  __half2 halves = __float2half2_rn(0.0f);
  __nv_bfloat162 brains = __float2bfloat162_rn(0.0f);
  for (int i = 0; i < count; i += 2) {
    halves = __hfma2(__floats2half2_rn(a[i], a[i + 1]), __floats2half2_rn(b[i], b[i + 1]), halves);
    brains =
        __hfma2(__floats2bfloat162_rn(a[i], a[i + 1]), __floats2bfloat162_rn(b[i] * 0.25f, b[i + 1] * 0.25f), brains);
  }
  out[0] = __half2float(__hadd(__low2half(halves), __high2half(halves)));
  out[1] = __bfloat162float(__hadd(brains.x, brains.y));
}

template <class T2, class Make>
__device__ unsigned operations(float x, float y, Make make) {
  const T2 a = make(x, y), b = make(y, -x);
  unsigned h = 1;
  const auto mix = [&h](T2 value) {
    unsigned bits;
    memcpy(&bits, &value, sizeof bits);
    h = (h ^ bits) * 16777619u;
  };
  mix(__hadd2(a, b)), mix(__hsub2(a, b)), mix(__hmul2(a, b)), mix(__hfma2(a, b, a)), mix(__hneg2(a)), mix(__habs2(b));
  mix(__hmin2(a, b)), mix(__hmax2(a, b)), mix(__hadd2_sat(a, b)), mix(__hfma2_relu(a, b, b)),
      mix(__h2div(a, make(2, 4)));
  mix(__hgt2(a, b)), mix(__heq2(a, a)), mix(h2rint(a)), mix(h2floor(b)), mix(h2trunc(a)), mix(__lowhigh2highlow(a));
  return h * 2 + __hbge2(a, b);
}

__global__ void arithmetic(const float* in, unsigned* out) {
  const float x = in[threadIdx.x], y = in[threadIdx.x + 1];
  unsigned h = operations<__half2>(x, y, [](float p, float q) { return __floats2half2_rn(p, q); });
  h = h * 31 + operations<__nv_bfloat162>(x, y, [](float p, float q) { return __floats2bfloat162_rn(p, q); });
  h = h * 31 + static_cast<unsigned>(__half2int_rz(__float2half(x))) + __half2ushort_rn(__float2half(fabsf(y))) +
      __half_as_ushort(__double2half(x * 1e-3));
  out[threadIdx.x] = h;
}

__global__ void accumulate(__half2* sums, __half* single) {
  atomicAdd(&sums[threadIdx.x % 4], __floats2half2_rn(1.0f, 0.5f));
  atomicAdd(&single[threadIdx.x % 3], __float2half(0.25f));
}

std::uint32_t digest(const std::vector<unsigned>& values) {
  std::uint32_t hash = 2166136261u;
  for (const unsigned value : values) hash = (hash ^ value) * 16777619u;
  return hash;
}

}  // namespace

int main() {
  sample::Numbers numbers(21);
  std::vector<float> a(64), b(64), in(129);
  float wanted = 0;
  for (int i = 0; i < 64; ++i) wanted += (a[i] = numbers.below(7) - 3) * (b[i] = numbers.below(5) - 2);
  sample::Device<float> device_a(a), device_b(b), products(2);
  dot_products<<<1, 1>>>(device_a, device_b, products, 64);
  FINISH();
  sample::compare("dot products", products.get(), std::vector<float>{wanted, wanted / 4});

  for (float& value : in) value = (numbers.unit() - 0.5f) * static_cast<float>(1 << numbers.below(12));
  sample::Device<float> input(in);
  sample::Device<unsigned> out(128);
  arithmetic<<<1, 128>>>(input, out);
  FINISH();
  std::printf("arithmetic of pairs: %08x\n", digest(out.get()));

  sample::Device<__half2> sums(4);
  sample::Device<__half> single(3);
  accumulate<<<1, 96>>>(sums, single);
  FINISH();
  std::vector<float> got;
  for (const __half2 sum : sums.get()) got.insert(got.end(), {__low2float(sum), __high2float(sum)});
  for (const __half sum : single.get()) got.push_back(__half2float(sum));
  sample::compare("atomics", got, std::vector<float>{24, 12, 24, 12, 24, 12, 24, 12, 8, 8, 8});
  return sample::passed();
}

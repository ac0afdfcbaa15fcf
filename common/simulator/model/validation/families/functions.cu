// Validation cases: exponentials, logarithms, sines with their fast and slow paths; rates of half, bfloat16 and double;
// latencies of each pipe.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "common/simulator/model/validation/cases.cuh"

namespace {

__device__ unsigned function_thread() { return blockIdx.x * blockDim.x + threadIdx.x; }

/// Applies a function repeatedly, in two independent chains, or in one to measure its latency.
template <typename T, int kChains, typename Function>
__global__ void repeat(T* out, int steps, T scale, T offset, Function function) {
  T v[kChains];
  for (int c = 0; c < kChains; ++c) v[c] = T(static_cast<float>(function_thread() % 1000 + c)) * scale + offset;
#pragma unroll 4
  for (int k = 0; k < steps; ++k)
    for (int c = 0; c < kChains; ++c) v[c] = function(v[c]);
  for (int c = 1; c < kChains; ++c) v[0] = v[0] + v[c];
  out[function_thread()] = v[0];
}

#define FUNCTION(Name, Type, Expression)                            \
  struct Name {                                                     \
    __device__ Type operator()(Type v) const { return Expression; } \
  };
FUNCTION(Exp, float, expf(v) * 0.3f)
FUNCTION(FastExp, float, __expf(v) * 0.3f)
FUNCTION(Exp2, float, exp2f(v) * 0.3f)
FUNCTION(Log, float, logf(v) + 3.0f)
FUNCTION(FastLog, float, __logf(v) + 3.0f)
FUNCTION(Sin, float, sinf(v) + 0.5f)
FUNCTION(Cos, float, cosf(v) + 0.5f)
FUNCTION(BigSin, float, sinf(v) * 100000.0f + 200000.0f)
FUNCTION(SomeBigSin, float, sinf(v) * 110000.0f + 1000.0f)
FUNCTION(Tan, float, tanf(v))
FUNCTION(Tanh, float, tanhf(v) + 0.1f)
FUNCTION(Pow, float, powf(v, 1.3f) * 0.5f)
FUNCTION(Erf, float, erff(v) + 0.1f)
FUNCTION(Atan, float, atanf(v) + 0.1f)
FUNCTION(Mixed, float, expf(-v) + logf(v + 2.0f) + sinf(v))
FUNCTION(FastMixed, float, __expf(-v) + __logf(v + 2.0f) + __sinf(v))
FUNCTION(Sqrt, float, sqrtf(v + 1.0f))
FUNCTION(RSqrt, float, rsqrtf(v + 1.0f))
FUNCTION(Reciprocal, float, 1.0f / (v + 1.0f))
FUNCTION(Divide, float, (v + 1.0f) / (v + 2.0f))
FUNCTION(FastDivide, float, __fdividef(v + 1.0f, v + 2.0f))
FUNCTION(Modulo, float, fmodf(v, 0.37f) + 2.0f)
FUNCTION(Polynomial, float, ((((v * 0.1f + 0.2f) * v + 0.3f) * v - 0.4f) * v + 0.1f) * 0.5f)
FUNCTION(DoubleFma, double, v * 0.999 + 0.5)
FUNCTION(DoubleAdd, double, v + 0.5)
FUNCTION(DoubleDivide, double, 1.0 / (v + 1.0))
FUNCTION(DoubleQuotient, double, (v + 2.0) / (v + 1.0))
FUNCTION(DoubleSqrt, double, sqrt(v + 1.0))
FUNCTION(DoubleExp, double, exp(-v))
FUNCTION(DoubleLog, double, log(v + 1.5))
FUNCTION(DoubleSin, double, sin(v) + 0.5)
FUNCTION(HalfFma, __half, __hfma(v, __float2half(0.5f), __float2half(0.25f)))
FUNCTION(HalfExp, __half, hexp(v))
FUNCTION(BfloatFma, __nv_bfloat16, __hfma(v, __float2bfloat16(0.5f), __float2bfloat16(0.25f)))
FUNCTION(FloatAdd, float, v + 0.5f)
FUNCTION(FloatFma, float, v * 0.5f + 0.25f)
FUNCTION(FloatMin, float, fminf(v + 1.0f, 7.0f))
FUNCTION(ToInt, float, static_cast<float>(static_cast<int>(v * 3.0f)))
FUNCTION(Round, float, rintf(v * 1.5f) * 0.5f)
#undef FUNCTION

__global__ void half_pairs(__half2* out, int steps) {
  __half2 v = __float2half2_rn(function_thread() % 16), w = __hadd2(v, v);
#pragma unroll 8
  for (int k = 0; k < steps; ++k) {
    v = __hfma2(v, __float2half2_rn(0.5f), __float2half2_rn(0.25f));
    w = __hfma2(w, __float2half2_rn(0.5f), __float2half2_rn(0.75f));
  }
  out[function_thread()] = __hadd2(v, w);
}
__global__ void half_adds(__half2* out, int steps) {
  __half2 v = __float2half2_rn(function_thread() % 16), w = __hadd2(v, v);
#pragma unroll 8
  for (int k = 0; k < steps; ++k) {
    v = __hadd2(v, __float2half2_rn(0.5f));
    w = __hmax2(w, v);
  }
  out[function_thread()] = __hadd2(v, w);
}
__global__ void bfloat_pairs(__nv_bfloat162* out, int steps) {
  __nv_bfloat162 v = __float2bfloat162_rn(function_thread() % 16), w = __hadd2(v, v);
#pragma unroll 8
  for (int k = 0; k < steps; ++k) {
    v = __hfma2(v, __float2bfloat162_rn(0.5f), __float2bfloat162_rn(0.25f));
    w = __hfma2(w, __float2bfloat162_rn(0.5f), __float2bfloat162_rn(0.75f));
  }
  out[function_thread()] = __hadd2(v, w);
}
/// Half in memory, float in registers.
__global__ void half_saxpy(const __half2* x, __half2* y, float a) {
  const float2 u = __half22float2(x[function_thread()]), v = __half22float2(y[function_thread()]);
  y[function_thread()] = __floats2half2_rn(a * u.x + v.x, a * u.y + v.y);
}
__global__ void half_converts(__half* out, int steps) {
  float v = function_thread() % 16, w = v + 1;
#pragma unroll 8
  for (int k = 0; k < steps; ++k) {
    v = __half2float(__float2half(v * 1.01f));
    w = __half2float(__float2half(w * 1.01f));
  }
  out[function_thread()] = __float2half(v + w);
}
__global__ void map_mixed(const float* in, float* out) {
  const float v = in[function_thread()];
  out[function_thread()] = expf(-v) * sinf(v * 10.0f) + logf(v + 1.0f);
}
__global__ void map_sines(const float* in, float* out, float scale) {
  out[function_thread()] = sinf(in[function_thread()] * scale * static_cast<float>(threadIdx.x));
}
__global__ void map_black_scholes(const float* price, float* out) {
  const float s = price[function_thread()] * 40.0f, x = 30.0f, t = 0.5f, r = 0.02f, v = 0.3f;
  const float d1 = (logf(s / x) + (r + 0.5f * v * v) * t) / (v * sqrtf(t)), d2 = d1 - v * sqrtf(t);
  const float n1 = 0.5f * erfcf(-d1 * 0.70710678f), n2 = 0.5f * erfcf(-d2 * 0.70710678f), e = expf(-r * t);
  out[2 * function_thread()] = s * n1 - x * e * n2;
  out[2 * function_thread() + 1] = x * e * (1 - n2) - s * (1 - n1);
}
__global__ void map_mandelbrot(int* out, int width, int limit) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const float cx = -2.2f + 3.0f * x / width, cy = -1.5f + 3.0f * y / width;
  float zx = 0, zy = 0;
  int k = 0;
  while (k < limit && zx * zx + zy * zy < 4.0f) {
    const float next = zx * zx - zy * zy + cx;
    zy = 2 * zx * zy + cy;
    zx = next;
    ++k;
  }
  out[y * width + x] = k;
}
__global__ void map_bodies(const float4* in, float4* out, int n) {
  __shared__ float4 tile[256];
  const float4 own = in[function_thread()];
  float ax = 0, ay = 0, az = 0;
  for (int t = 0; t < n; t += 256) {
    tile[threadIdx.x] = in[t + threadIdx.x];
    __syncthreads();
#pragma unroll 8
    for (int k = 0; k < 256; ++k) {
      const float dx = tile[k].x - own.x, dy = tile[k].y - own.y, dz = tile[k].z - own.z;
      const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
      const float s = tile[k].w * inverse * inverse * inverse;
      ax += dx * s;
      ay += dy * s;
      az += dz * s;
    }
    __syncthreads();
  }
  out[function_thread()] = make_float4(ax, ay, az, 0);
}

template <typename T, typename Function>
void add_function(Cases& cases, const std::string& name, int steps, float scale, float offset, bool latency = false) {
  auto* out = reinterpret_cast<T*>(cases.b);
  cases.add("functions", name, steps, repeat<T, 2, Function>, 132 * 4, 256, 0, out, steps, T(scale), T(offset),
            Function());
  if (latency)
    cases.add("micro_latency", name, steps * 4, repeat<T, 1, Function>, 132, 32, 0, out, steps * 4, T(scale), T(offset),
              Function());
}

}  // namespace

void add_functions(Cases& cases) {
  add_function<float, Exp>(cases, "exp", 32, 0.001f, 0.0f, true);
  add_function<float, FastExp>(cases, "fast_exp", 32, 0.001f, 0.0f, true);
  add_function<float, Exp2>(cases, "exp2", 32, 0.001f, 0.0f);
  add_function<float, Log>(cases, "log", 32, 0.001f, 1.0f, true);
  add_function<float, FastLog>(cases, "fast_log", 32, 0.001f, 1.0f, true);
  add_function<float, Sin>(cases, "sin", 32, 0.001f, 0.0f, true);
  add_function<float, Cos>(cases, "cos", 32, 0.001f, 0.0f);
  add_function<float, BigSin>(cases, "sin_of_large", 8, 1.0f, 200000.0f, true);
  add_function<float, SomeBigSin>(cases, "sin_of_some_large", 8, 200.0f, 0.0f);
  add_function<float, Tan>(cases, "tan", 16, 0.001f, 0.0f);
  add_function<float, Tanh>(cases, "tanh", 32, 0.001f, 0.0f);
  add_function<float, Pow>(cases, "pow", 16, 0.001f, 1.0f);
  add_function<float, Erf>(cases, "erf", 16, 0.001f, 0.0f);
  add_function<float, Atan>(cases, "atan", 16, 0.001f, 0.0f);
  add_function<float, Mixed>(cases, "mixed", 16, 0.001f, 1.0f);
  add_function<float, FastMixed>(cases, "fast_mixed", 16, 0.001f, 1.0f);
  add_function<float, Sqrt>(cases, "sqrt", 32, 0.001f, 0.0f, true);
  add_function<float, RSqrt>(cases, "rsqrt", 32, 0.001f, 0.0f, true);
  add_function<float, Reciprocal>(cases, "reciprocal", 32, 0.001f, 0.0f, true);
  add_function<float, Divide>(cases, "divide", 32, 0.001f, 0.0f, true);
  add_function<float, FastDivide>(cases, "fast_divide", 32, 0.001f, 0.0f);
  add_function<float, Modulo>(cases, "fmod", 16, 0.001f, 1.0f);
  add_function<float, Polynomial>(cases, "polynomial", 32, 0.001f, 0.0f);
  add_function<double, DoubleFma>(cases, "f64_fma", 64, 0.001f, 0.0f, true);
  add_function<double, DoubleAdd>(cases, "f64_add", 64, 0.001f, 0.0f, true);
  add_function<double, DoubleDivide>(cases, "f64_reciprocal", 16, 0.001f, 0.0f, true);
  add_function<double, DoubleQuotient>(cases, "f64_divide", 16, 0.001f, 0.0f, true);
  add_function<double, DoubleSqrt>(cases, "f64_sqrt", 16, 0.001f, 0.0f, true);
  add_function<double, DoubleExp>(cases, "f64_exp", 16, 0.001f, 0.0f);
  add_function<double, DoubleLog>(cases, "f64_log", 16, 0.001f, 0.0f);
  add_function<double, DoubleSin>(cases, "f64_sin", 16, 0.001f, 0.0f);
  add_function<__half, HalfFma>(cases, "f16_fma", 64, 0.001f, 0.0f, true);
  add_function<__half, HalfExp>(cases, "f16_exp", 32, 0.001f, 0.0f);
  add_function<__nv_bfloat16, BfloatFma>(cases, "bf16_fma", 64, 0.001f, 0.0f, true);
  add_function<float, FloatAdd>(cases, "f32_add", 64, 0.001f, 0.0f, true);
  add_function<float, FloatFma>(cases, "f32_fma", 64, 0.001f, 0.0f, true);
  add_function<float, FloatMin>(cases, "f32_min", 64, 0.001f, 0.0f, true);
  add_function<float, ToInt>(cases, "to_int", 32, 0.001f, 0.0f, true);
  add_function<float, Round>(cases, "round", 32, 0.001f, 0.0f, true);
  const int blocks = 132 * 4, n = 1 << 19;
  cases.add("functions", "f16x2_fma", 128, half_pairs, blocks, 256, 0, reinterpret_cast<__half2*>(cases.b), 128);
  cases.add("functions", "f16x2_add", 128, half_adds, blocks, 256, 0, reinterpret_cast<__half2*>(cases.b), 128);
  cases.add("functions", "bf16x2_fma", 128, bfloat_pairs, blocks, 256, 0, reinterpret_cast<__nv_bfloat162*>(cases.b),
            128);
  cases.add("functions", "f16_converts", 64, half_converts, blocks, 256, 0, reinterpret_cast<__half*>(cases.b), 64);
  cases.add("maps", "f16_saxpy", n, half_saxpy, n / 256, 256, 0, reinterpret_cast<__half2*>(cases.a),
            reinterpret_cast<__half2*>(cases.b), 1.5f);
  cases.add("maps", "mixed", n, map_mixed, n / 256, 256, 0, cases.a, cases.b);
  cases.add("maps", "sines_small", n, map_sines, n / 256, 256, 0, cases.a, cases.b, 0.1f);
  cases.add("maps", "sines_large", n, map_sines, n / 256, 256, 0, cases.a, cases.b, 100000.0f);
  cases.add("maps", "sines_some_large", n, map_sines, n / 256, 256, 0, cases.a, cases.b, 800.0f);
  cases.add("maps", "black_scholes", n, map_black_scholes, n / 256, 256, 0, cases.a, cases.b);
  cases.add("maps", "mandelbrot", 512, map_mandelbrot, dim3(32, 32), dim3(16, 16), 0, reinterpret_cast<int*>(cases.b),
            512, 100);
  cases.add("maps", "mandelbrot_32x8", 512, map_mandelbrot, dim3(16, 64), dim3(32, 8), 0,
            reinterpret_cast<int*>(cases.b), 512, 100);
  cases.add("maps", "bodies", 4096, map_bodies, 16, 256, 0, reinterpret_cast<float4*>(cases.a),
            reinterpret_cast<float4*>(cases.b), 4096);
}

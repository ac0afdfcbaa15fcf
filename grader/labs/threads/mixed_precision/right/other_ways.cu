// Other ways to do the same: eight halves in a load, products of halves by hand, formulas for predictions, eight sums
// of a filter in a thread, and bytes made by saturating conversions.
#include <algorithm>
#include <cmath>

#include "mixed_precision.h"

namespace {

__device__ int of_grid() { return blockIdx.x * blockDim.x + threadIdx.x; }

// Four pairs for a thread, and the elements after them one by one in the same loop.
__global__ void axpy_of_eight(__half a, const uint4* x, uint4* y, int n) {
  const int i = of_grid();
  if (i < n / 8) {
    const uint4 of_x = x[i], of_y = y[i];
    const auto step = [&](unsigned p, unsigned q) {
      const __half2 sum = __hfma2(__half2half2(a), *reinterpret_cast<__half2*>(&p), *reinterpret_cast<__half2*>(&q));
      return *reinterpret_cast<const unsigned*>(&sum);
    };
    y[i] = {step(of_x.x, of_y.x), step(of_x.y, of_y.y), step(of_x.z, of_y.z), step(of_x.w, of_y.w)};
  } else if (const int rest = n / 8 * 8 + i - n / 8; rest < n) {
    __half* const own = reinterpret_cast<__half*>(y) + rest;
    *own = __hfma(a, reinterpret_cast<const __half*>(x)[rest], *own);
  }
}

// Sums of threads meet in shared memory, as a double.
__global__ void dot_of_blocks(const __half2* x, const __half2* y, double* total, float* sum, int n) {
  __shared__ double tree[256];
  double own = 0;
  for (int i = of_grid(); i < (n + 1) / 2; i += gridDim.x * 256) {
    if (2 * i + 1 < n) {
      const __half2 p = x[i], q = y[i];
      own += __low2float(p) * __low2float(q) + __high2float(p) * __high2float(q);
    } else {
      own += __half2float(reinterpret_cast<const __half*>(x)[2 * i]) *
             __half2float(reinterpret_cast<const __half*>(y)[2 * i]);
    }
  }
  tree[threadIdx.x] = own;
  for (int distance = 128; distance > 0; distance /= 2) {
    __syncthreads();
    if (threadIdx.x < distance) tree[threadIdx.x] += tree[threadIdx.x + distance];
  }
  if (threadIdx.x == 0 && total == nullptr) atomicAdd(sum, static_cast<float>(tree[0]));
}

// A product and a sum of two bfloat16 numbers by an operator and a function each, four numbers in a thread.
__global__ void polynomial_of_four(const __nv_bfloat16* in, const __nv_bfloat16* c, int degree, __nv_bfloat16* out,
                                   int n) {
  const int first = of_grid() * 4;
  if (first >= n) return;
  const bool whole = first + 4 <= n;
  __nv_bfloat162 x[2] = {}, r[2];
  if (whole) {
    *reinterpret_cast<uint2*>(x) = *reinterpret_cast<const uint2*>(in + first);
  } else {
    for (int i = 0; first + i < n; ++i) reinterpret_cast<__nv_bfloat16*>(x)[i] = in[first + i];
  }
  r[0] = r[1] = __halves2bfloat162(c[degree], c[degree]);
#pragma unroll 4
  for (int k = degree; k-- > 0;) {
    const __nv_bfloat162 add = __halves2bfloat162(c[k], c[k]);
    r[0] = __hfma2(x[0], r[0], add);
    r[1] = __hfma2(x[1], r[1], add);
  }
  if (whole) {
    *reinterpret_cast<uint2*>(out + first) = *reinterpret_cast<const uint2*>(r);
  } else {
    for (int i = 0; first + i < n; ++i) out[first + i] = reinterpret_cast<const __nv_bfloat16*>(r)[i];
  }
}

__device__ unsigned byte_of(float x) {
  if (isnan(x)) return 0;
  return static_cast<unsigned>(static_cast<int>(rintf(fminf(fmaxf(x, -127.0f), 127.0f)))) & 0xffu;
}
__global__ void quantize_of_sixteen(const float* in, float scale, unsigned* out, int n) {
  const int i = of_grid();
  if (4 * i + 3 < n) {
    const auto four = reinterpret_cast<const float4*>(in)[i];
    out[i] = byte_of(four.x * scale) | byte_of(four.y * scale) << 8 | byte_of(four.z * scale) << 16 |
             byte_of(four.w * scale) << 24;
  } else {
    for (int k = 4 * i; k < n; ++k) reinterpret_cast<unsigned char*>(out)[k] = byte_of(in[k] * scale);
  }
}

// Two quads of sums in a thread: a word of weights serves eight.
__global__ void filter_of_eight(const int* in, const int* weights, int taps, int* out, int n) {
  const int first = of_grid() * 8;
  if (first >= n) return;
  const int* const own = in + first / 4;
  const bool second = first + 4 < n;
  int sums[8] = {}, low = own[0], middle = own[1];
  for (int k = 0; k < taps / 4; ++k) {
    const int high = second ? own[k + 2] : 0, four = weights[k];
#pragma unroll
    for (int s = 0; s < 4; ++s) {
      sums[s] = __dp4a(static_cast<int>(__funnelshift_r(low, middle, 8 * s)), four, sums[s]);
      sums[4 + s] = __dp4a(static_cast<int>(__funnelshift_r(middle, high, 8 * s)), four, sums[4 + s]);
    }
    low = middle, middle = second ? high : k + 2 <= taps / 4 ? own[k + 2] : 0;
  }
#pragma unroll
  for (int q = 0; q < 8; q += 4)
    if (first + q + 4 <= n)
      *reinterpret_cast<int4*>(out + first + q) = {sums[q], sums[q + 1], sums[q + 2], sums[q + 3]};
#pragma unroll
  for (int i = 0; i < 8; ++i)
    if (first + i < n && first + i / 4 * 4 + 4 > n) out[first + i] = sums[i];
}

// Eight lanes have a row, four rows to a warp.
template <class Pair, class Four, class Sample, class Weight, class Sum>
__global__ void weigh_of_eight(const Sample* samples, const Weight* weights, Sum* sums, int rows, int columns,
                               int pitch) {
  const int row = of_grid() / 8, lane = threadIdx.x % 8;
  Sum sum = 0;
  if (row < rows) {
    const Sample* const own = samples + static_cast<size_t>(row) * pitch;
    for (int k = 4 * lane; k < columns; k += 32) {
      if (k + 3 < columns) {
        const uint2 four = *reinterpret_cast<const uint2*>(own + k);
        const Four factors = *reinterpret_cast<const Four*>(weights + k);
        const auto* const pairs = reinterpret_cast<const Pair*>(&four);
        sum = __dp2a_hi(pairs[1], factors, __dp2a_lo(pairs[0], factors, sum));
      } else {
        for (int rest = k; rest < columns; ++rest) sum += static_cast<Sum>(own[rest]) * static_cast<Sum>(weights[rest]);
      }
    }
  }
  for (int distance = 4; distance > 0; distance /= 2) sum += __shfl_xor_sync(0xffffffff, sum, distance);
  if (lane == 0 && row < rows) sums[row] = sum;
}

}  // namespace

int predict_sum(Format format, int each, int n) {
  const int bits = format == Format::half ? 11 : format == Format::bfloat16 ? 8 : 24;
  int sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += each;
    int unit = 1;
    while (sum / unit >= 1 << bits) unit *= 2;
    sum = static_cast<int>(std::nearbyint(static_cast<double>(sum) / unit)) * unit;
    if (format == Format::half && sum > 65504) return 2147483647;
  }
  return sum;
}

int predict_products(bool pairs, bool high, bool is_signed, int a, int b) {
  const auto field = [&](int word, int bits, int index) {
    const long long found =
        (static_cast<long long>(static_cast<unsigned>(word)) >> (bits * index)) & ((1ll << bits) - 1);
    return is_signed && (found >> (bits - 1)) != 0 ? found - (1ll << bits) : found;
  };
  long long sum = 0;
  const int count = pairs ? 2 : 4, skip = pairs && high ? 2 : 0;
  for (int i = 0; i < count; ++i) sum += field(a, 32 / count, i) * field(b, 8, i + skip);
  return static_cast<int>(static_cast<unsigned>(sum));
}

void axpy(float a, const __half* x, __half* y, int n) {
  const int threads = n / 8 + n % 8;
  if (n > 0)
    axpy_of_eight<<<(threads + 127) / 128, 128>>>(__float2half(a), reinterpret_cast<const uint4*>(x),
                                                  reinterpret_cast<uint4*>(y), n);
}

void dot(const __half* x, const __half* y, float* sum, int n) {
  cudaMemset(sum, 0, sizeof(float));
  if (n > 0)
    dot_of_blocks<<<std::clamp(n / 2048, 1, 132), 256>>>(reinterpret_cast<const __half2*>(x),
                                                         reinterpret_cast<const __half2*>(y), nullptr, sum, n);
}

void polynomial(const __nv_bfloat16* in, const __nv_bfloat16* c, int degree, __nv_bfloat16* out, int n) {
  if (n > 0) polynomial_of_four<<<(n + 1023) / 1024, 256>>>(in, c, degree, out, n);
}

void quantize(const float* in, float scale, signed char* out, int n) {
  if (n > 0) quantize_of_sixteen<<<(n + 511) / 512, 128>>>(in, scale, reinterpret_cast<unsigned*>(out), n);
}

void filter(const signed char* in, const signed char* weights, int taps, int* out, int n) {
  if (n > 0)
    filter_of_eight<<<(n + 1023) / 1024, 128>>>(reinterpret_cast<const int*>(in), reinterpret_cast<const int*>(weights),
                                                taps, out, n);
}

void weigh(const short* samples, const signed char* weights, int* sums, int rows, int columns, int pitch) {
  if (rows > 0) weigh_of_eight<short2, char4><<<(rows + 31) / 32, 256>>>(samples, weights, sums, rows, columns, pitch);
}

void weigh_unsigned(const unsigned short* samples, const unsigned char* weights, unsigned* sums, int rows, int columns,
                    int pitch) {
  if (rows > 0)
    weigh_of_eight<ushort2, uchar4><<<(rows + 31) / 32, 256>>>(samples, weights, sums, rows, columns, pitch);
}

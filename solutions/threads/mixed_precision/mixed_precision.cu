// Lab mixed_precision: numbers of 16 and 8 bits, several in a register: half, bfloat16, dp4a and dp2a.
// This is the only file you edit. What each function must do is in mixed_precision.h, what to do first in README.md.
#include "mixed_precision.h"
#include "packed.cuh"

// ---- Part 1: predictions --------------------------------------------------------------------------------------------

int predict_sum(Format format, int each, int n) {
  // BEGIN SOLUTION
  // TODO(student): add in a float, and round: __float2half_rn and __half2float, __float2bfloat16_rn and
  // __bfloat162float work on the host, too. (7 lines)
  // SKELETON: warpbook::not_started();
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += static_cast<float>(each);
    if (format == Format::half) sum = __half2float(__float2half_rn(sum));
    if (format == Format::bfloat16) sum = __bfloat162float(__float2bfloat16_rn(sum));
  }
  return static_cast<int>(sum);
  // END SOLUTION
}

int predict_products(bool pairs, bool high, bool is_signed, int a, int b) {
  // BEGIN SOLUTION
  // TODO(student): take the numbers out by shifts and casts, multiply and add. (9 lines)
  // SKELETON: warpbook::not_started();
  unsigned sum = 0;
  for (int i = 0; i < (pairs ? 2 : 4); ++i) {
    const int of_a = a >> (pairs ? 16 : 8) * i, of_b = b >> 8 * (pairs && high ? i + 2 : i);
    if (is_signed)
      sum += (pairs ? static_cast<short>(of_a) : static_cast<signed char>(of_a)) * static_cast<signed char>(of_b);
    else
      sum += (pairs ? of_a & 0xffffu : of_a & 0xffu) * (of_b & 0xffu);
  }
  return static_cast<int>(sum);
  // END SOLUTION
}

// ---- Part 2: two halves in a register -------------------------------------------------------------------------------

__global__ void axpy_kernel(__half a, const __half* x, __half* y, int n) {
  const int pair = thread();
  // BEGIN SOLUTION
  // TODO(student): both elements of this pair, as __half2, by one __hfma2; if there is only one, by __hfma. (6 lines)
  if (2 * pair + 1 < n) {
    __half2* const own = reinterpret_cast<__half2*>(y) + pair;
    *own = __hfma2(__half2half2(a), reinterpret_cast<const __half2*>(x)[pair], *own);
  } else if (2 * pair < n) {
    y[2 * pair] = __hfma(a, x[2 * pair], y[2 * pair]);
  }
  // END SOLUTION
}

void axpy(float a, const __half* x, __half* y, int n) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): delete this line.
  // END SOLUTION
  if (n > 0) axpy_kernel<<<pieces(n, 2 * kThreads), kThreads>>>(__float2half_rn(a), x, y, n);
}

__global__ void dot_kernel(const __half* x, const __half* y, float* sum, int n) {
  float own = 0;
  // BEGIN SOLUTION
  // TODO(student): a grid-stride loop over the pairs; thread 0 also takes an element that is left
  // over. Where is the product exact? __half22float2 gives both of a pair as floats. (7 lines)
  for (int pair = thread(); pair < n / 2; pair += gridDim.x * kThreads) {
    const float2 a = __half22float2(reinterpret_cast<const __half2*>(x)[pair]);
    const float2 b = __half22float2(reinterpret_cast<const __half2*>(y)[pair]);
    own += a.x * b.x + a.y * b.y;
  }
  if (n % 2 == 1 && thread() == 0) own += __half2float(x[n - 1]) * __half2float(y[n - 1]);
  // END SOLUTION
  own = sum_of_block(own);
  if (threadIdx.x == 0) atomicAdd(sum, own);
}

void dot(const __half* x, const __half* y, float* sum, int n) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): delete this line.
  // END SOLUTION
  cudaMemsetAsync(sum, 0, sizeof(float));
  const int blocks = min(pieces(n, 2 * kThreads), kBlocks);
  if (n > 0) dot_kernel<<<blocks, kThreads>>>(x, y, sum, n);
}

// ---- Part 3: two bfloat16 in a register, and eight in a load --------------------------------------------------------

__global__ void polynomial_kernel(const Bfloat* in, const Bfloat* c, int degree, Bfloat* out, int n) {
  const int first = 8 * thread();
  if (first >= n) return;
  const Eight x = load_eight(in, first, n);
  Eight result;
  // BEGIN SOLUTION
  // TODO(student): begin with c[degree] in all eight, then a step with each c[k] down to c[0]. __bfloat162bfloat162
  // puts one number into both places of a pair; __hfma2 does a step of a pair. (6 lines)
  for (Bfloat2& pair : result.pairs) pair = __bfloat162bfloat162(c[degree]);
  for (int k = degree - 1; k >= 0; --k) {
    const Bfloat2 next = __bfloat162bfloat162(c[k]);
    for (int i = 0; i < 4; ++i) result.pairs[i] = __hfma2(result.pairs[i], x.pairs[i], next);
  }
  // END SOLUTION
  store_eight(out, first, n, result);
}

void polynomial(const Bfloat* in, const Bfloat* c, int degree, Bfloat* out, int n) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): delete this line.
  // END SOLUTION
  if (n > 0) polynomial_kernel<<<pieces(n, 8 * kThreads), kThreads>>>(in, c, degree, out, n);
}

// ---- Part 4: four bytes in a register -------------------------------------------------------------------------------

__global__ void quantize_kernel(const float* in, float scale, signed char* out, int n) {
  const int first = 4 * thread();
  // BEGIN SOLUTION
  // TODO(student): four elements from `first` on: one load (float4), one store (char4). Fewer, one by one.
  // __float2int_rn rounds; of NaN it makes 0. (8 lines)
  const auto byte = [&](float x) { return static_cast<signed char>(max(-127, min(127, __float2int_rn(x * scale)))); };
  if (first + 4 <= n) {
    const float4 x = *reinterpret_cast<const float4*>(in + first);
    *reinterpret_cast<char4*>(out + first) = make_char4(byte(x.x), byte(x.y), byte(x.z), byte(x.w));
  } else {
    for (int i = first; i < n; ++i) out[i] = byte(in[i]);
  }
  // END SOLUTION
}

void quantize(const float* in, float scale, signed char* out, int n) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): delete this line.
  // END SOLUTION
  if (n > 0) quantize_kernel<<<pieces(n, 4 * kThreads), kThreads>>>(in, scale, out, n);
}

__global__ void filter_kernel(const signed char* in, const signed char* weights, int taps, int* out, int n) {
  const int first = 4 * thread();
  if (first >= n) return;
  const int* const words = reinterpret_cast<const int*>(in + first);
  const int* const factors = reinterpret_cast<const int*>(weights);
  int sums[4] = {};  // out[first] to out[first + 3]
  // BEGIN SOLUTION
  // TODO(student): for each word of weights: the four bytes from in[first + 4 * k + s] on, for s = 0 to 3, lie in word
  // k, and after it in word k + 1. __byte_perm(low, high, selector) puts them into one. Then __dp4a. (9 lines)
  int low = words[0];
  for (int k = 0; k < taps / 4; ++k) {
    const int high = words[k + 1], four = factors[k];
    sums[0] = __dp4a(low, four, sums[0]);
    sums[1] = __dp4a(static_cast<int>(__byte_perm(low, high, 0x4321)), four, sums[1]);
    sums[2] = __dp4a(static_cast<int>(__byte_perm(low, high, 0x5432)), four, sums[2]);
    sums[3] = __dp4a(static_cast<int>(__byte_perm(low, high, 0x6543)), four, sums[3]);
    low = high;
  }
  // END SOLUTION
  if (first + 4 <= n) *reinterpret_cast<int4*>(out + first) = {sums[0], sums[1], sums[2], sums[3]};
  for (int i = first; i < n && first + 4 > n; ++i) out[i] = sums[i - first];
}

void filter(const signed char* in, const signed char* weights, int taps, int* out, int n) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): delete this line.
  // END SOLUTION
  if (n > 0) filter_kernel<<<pieces(n, 4 * kThreads), kThreads>>>(in, weights, taps, out, n);
}

// ---- Part 5: 16 times 8 bits ----------------------------------------------------------------------------------------

// A warp has a row. Pair is short2 or ushort2, Four is char4 or uchar4.
template <class Pair, class Four, class S, class W, class Sum>
__global__ void weigh_kernel(const S* samples, const W* weights, Sum* sums, int rows, int columns, int pitch) {
  const int row = thread() / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  const S* const own = samples + static_cast<size_t>(row) * pitch;
  const auto* const quads = reinterpret_cast<const TwoPairs<Pair>*>(own);
  Sum sum = 0;
  // BEGIN SOLUTION
  // TODO(student): every 32nd quad whose four columns all count: __dp2a_lo and __dp2a_hi. Then the columns that are
  // left, at most three, one for a lane. (7 lines)
  const Four* const factors = reinterpret_cast<const Four*>(weights);
  for (int q = lane; q < columns / 4; q += 32) {
    sum = __dp2a_lo(quads[q].low, factors[q], sum);
    sum = __dp2a_hi(quads[q].high, factors[q], sum);
  }
  const int last = columns / 4 * 4 + lane;
  if (last < columns) sum += static_cast<Sum>(own[last]) * static_cast<Sum>(weights[last]);
  // END SOLUTION
  sum = sum_of_warp(sum);
  if (lane == 0) sums[row] = sum;
}

void weigh(const short* samples, const signed char* weights, int* sums, int rows, int columns, int pitch) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): delete this line.
  // END SOLUTION
  if (rows > 0)
    weigh_kernel<short2, char4><<<pieces(rows, 8), kThreads>>>(samples, weights, sums, rows, columns, pitch);
}

void weigh_unsigned(const unsigned short* samples, const unsigned char* weights, unsigned* sums, int rows, int columns,
                    int pitch) {
  // BEGIN SOLUTION
  // SKELETON: warpbook::not_started();  // TODO(student): delete this line.
  // END SOLUTION
  if (rows > 0)
    weigh_kernel<ushort2, uchar4><<<pieces(rows, 8), kThreads>>>(samples, weights, sums, rows, columns, pitch);
}

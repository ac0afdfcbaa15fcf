// Lab mixed_precision: numbers of 16 and 8 bits, several in a register: half, bfloat16, dp4a and dp2a.
// This is the only file you edit. What each function must do is in mixed_precision.h, what to do first in README.md.
#include "mixed_precision.h"
#include "packed.cuh"

// ---- Part 1: predictions --------------------------------------------------------------------------------------------

int predict_sum(Format format, int each, int n) {
  // TODO(student): add in a float, and round: __float2half_rn and __half2float, __float2bfloat16_rn and
  // __bfloat162float work on the host, too. (7 lines)
  warpbook::not_started();
}

int predict_products(bool pairs, bool high, bool is_signed, int a, int b) {
  // TODO(student): take the numbers out by shifts and casts, multiply and add. (9 lines)
  warpbook::not_started();
}

// ---- Part 2: two halves in a register -------------------------------------------------------------------------------

__global__ void axpy_kernel(__half a, const __half* x, __half* y, int n) {
  const int pair = thread();
  // TODO(student): both elements of this pair, as __half2, by one __hfma2; if there is only one, by __hfma. (6 lines)
}

void axpy(float a, const __half* x, __half* y, int n) {
  warpbook::not_started();  // TODO(student): delete this line.
  if (n > 0) axpy_kernel<<<pieces(n, 2 * kThreads), kThreads>>>(__float2half_rn(a), x, y, n);
}

__global__ void dot_kernel(const __half* x, const __half* y, float* sum, int n) {
  float own = 0;
  // TODO(student): a grid-stride loop over the pairs; thread 0 also takes an element that is left
  // over. Where is the product exact? __half22float2 gives both of a pair as floats. (7 lines)
  own = sum_of_block(own);
  if (threadIdx.x == 0) atomicAdd(sum, own);
}

void dot(const __half* x, const __half* y, float* sum, int n) {
  warpbook::not_started();  // TODO(student): delete this line.
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
  // TODO(student): begin with c[degree] in all eight, then a step with each c[k] down to c[0]. __bfloat162bfloat162
  // puts one number into both places of a pair; __hfma2 does a step of a pair. (6 lines)
  store_eight(out, first, n, result);
}

void polynomial(const Bfloat* in, const Bfloat* c, int degree, Bfloat* out, int n) {
  warpbook::not_started();  // TODO(student): delete this line.
  if (n > 0) polynomial_kernel<<<pieces(n, 8 * kThreads), kThreads>>>(in, c, degree, out, n);
}

// ---- Part 4: four bytes in a register -------------------------------------------------------------------------------

__global__ void quantize_kernel(const float* in, float scale, signed char* out, int n) {
  const int first = 4 * thread();
  // TODO(student): four elements from `first` on: one load (float4), one store (char4). Fewer, one by one.
  // __float2int_rn rounds; of NaN it makes 0. (8 lines)
}

void quantize(const float* in, float scale, signed char* out, int n) {
  warpbook::not_started();  // TODO(student): delete this line.
  if (n > 0) quantize_kernel<<<pieces(n, 4 * kThreads), kThreads>>>(in, scale, out, n);
}

__global__ void filter_kernel(const signed char* in, const signed char* weights, int taps, int* out, int n) {
  const int first = 4 * thread();
  if (first >= n) return;
  const int* const words = reinterpret_cast<const int*>(in + first);
  const int* const factors = reinterpret_cast<const int*>(weights);
  int sums[4] = {};  // out[first] to out[first + 3]
  // TODO(student): for each word of weights: the four bytes from in[first + 4 * k + s] on, for s = 0 to 3, lie in word
  // k, and after it in word k + 1. __byte_perm(low, high, selector) puts them into one. Then __dp4a. (9 lines)
  if (first + 4 <= n) *reinterpret_cast<int4*>(out + first) = {sums[0], sums[1], sums[2], sums[3]};
  for (int i = first; i < n && first + 4 > n; ++i) out[i] = sums[i - first];
}

void filter(const signed char* in, const signed char* weights, int taps, int* out, int n) {
  warpbook::not_started();  // TODO(student): delete this line.
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
  // TODO(student): every 32nd quad whose four columns all count: __dp2a_lo and __dp2a_hi. Then the columns that are
  // left, at most three, one for a lane. (7 lines)
  sum = sum_of_warp(sum);
  if (lane == 0) sums[row] = sum;
}

void weigh(const short* samples, const signed char* weights, int* sums, int rows, int columns, int pitch) {
  warpbook::not_started();  // TODO(student): delete this line.
  if (rows > 0)
    weigh_kernel<short2, char4><<<pieces(rows, 8), kThreads>>>(samples, weights, sums, rows, columns, pitch);
}

void weigh_unsigned(const unsigned short* samples, const unsigned char* weights, unsigned* sums, int rows, int columns,
                    int pitch) {
  warpbook::not_started();  // TODO(student): delete this line.
  if (rows > 0)
    weigh_kernel<ushort2, uchar4><<<pieces(rows, 8), kThreads>>>(samples, weights, sums, rows, columns, pitch);
}

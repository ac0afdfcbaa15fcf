// The contract of lab mixed_precision: what the functions in mixed_precision.cu must do.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "common/cuda/lab.h"

/// @defgroup mixed_precision Lab mixed_precision
/// Numbers of 16 and 8 bits, several in a register: what one instruction does with them, and what is lost.
///
/// Common to all: pointers are device pointers as cudaMalloc returns them (aligned to 256 bytes); arrays do not
/// overlap. Arrays that are `const` are only read; results may hold anything before the call. "Rounded" means to
/// the nearest, ties to even, as all arithmetic here does unless its name says otherwise. The functions start kernels
/// on the default stream and need not wait for them.
/// @{

enum class Format { half, bfloat16, float32 };

/// Part 1: a sum begins at 0, and `each` is added to it n times. After each addition it is rounded to the format.
/// @param each 1 to 256
/// @param n    0 to 10,000; so few that no half becomes infinite
/// @returns what the sum is then
int predict_sum(Format format, int each, int n);

/// Part 1: what `__dp4a(a, b, 0)`, `__dp2a_lo(a, b, 0)` or `__dp2a_hi(a, b, 0)` returns: its bits.
/// @param pairs     dp2a: `a` holds two numbers of 16 bits; otherwise dp4a: four of 8 bits. `b` holds four of 8 bits.
/// @param high      of dp2a: the one whose name ends in _hi
/// @param is_signed all numbers are signed; otherwise none is
/// @param a, b      any bits; the first number is in the lowest
int predict_products(bool pairs, bool high, bool is_signed, int a, int b);

/// Part 2: y[i] = a * x[i] + y[i], rounded once to a half. What is too large becomes infinite.
/// @param a    is rounded to a half first
/// @param x, y device, n elements, none infinite or NaN
/// @param n    0 to 2^20
void axpy(float a, const __half* x, __half* y, int n);

/// Part 2: *sum = the sum of x[i] * y[i], with an error of at most 5 * 10^-5 of the sum of all |x[i] * y[i]|.
/// @param x, y device, n elements, none infinite or NaN
/// @param sum  device, one element
/// @param n    0 to 2^20
void dot(const __half* x, const __half* y, float* sum, int n);

/// Part 3: out[i] = c[0] + in[i] * (c[1] + in[i] * (c[2] + ... in[i] * c[degree])), computed from the inside, where
/// each step, a product and a sum, is rounded once to a bfloat16.
/// @param in     device, n elements, -1 to 1
/// @param c      device, degree + 1 elements, -1 to 1
/// @param degree 1 to 40
/// @param out    device, n elements
/// @param n      0 to 2^18
void polynomial(const __nv_bfloat16* in, const __nv_bfloat16* c, int degree, __nv_bfloat16* out, int n);

/// Part 4: out[i] = in[i] * scale (a float), rounded to a whole number and clamped to -127 ... 127.
/// NaN becomes 0.
/// @param in    device, n elements; infinities and NaN occur
/// @param scale 10^-6 to 10^6
/// @param out   device, n elements
/// @param n     0 to 2^20
void quantize(const float* in, float scale, signed char* out, int n);

/// Part 4: out[i] = the sum of in[i + k] * weights[k] for k from 0 to taps - 1.
/// @param in      device, n + taps + 8 elements; those from n + taps - 1 on do not count, but may be read
/// @param weights device, `taps` elements
/// @param out     device, n elements
/// @param n       0 to 2^20
/// @param taps    a multiple of 4 from 4 to 256
void filter(const signed char* in, const signed char* weights, int taps, int* out, int n);

/// Part 5: sums[r] = the sum of samples[r * pitch + k] * weights[k] for k from 0 to columns - 1.
/// @param samples device, rows x pitch elements; those of a row from `columns` on do not count
/// @param weights device, `columns` elements
/// @param sums    device, `rows` elements
/// @param rows    0 to 10,000
/// @param columns 1 to 256
/// @param pitch   at least `columns`, a multiple of 4
void weigh(const short* samples, const signed char* weights, int* sums, int rows, int columns, int pitch);
/// Part 5: the same for unsigned numbers.
void weigh_unsigned(const unsigned short* samples, const unsigned char* weights, unsigned* sums, int rows, int columns,
                    int pitch);

/// @}

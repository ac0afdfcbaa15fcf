// Floating-point arithmetic of tensor cores: the products of one block of k and the accumulator are summed in fixed
// point and rounded once.
//
// A documented model from published research (MMA-Sim, 2025; the method is that of Fasi, Higham, Mikaitis, Pranesh,
// "Numerical behavior of NVIDIA tensor cores", 2021). It reproduces all products of tensor_probe bit for bit as an H200
// computed them on 2026-11-23 (driver 580.159, CUDA 13.0). For mma.sync on Hopper: products are exact; they and the
// accumulator are aligned to the largest exponent among them and truncated to 25 fraction bits; the sum is exact, and
// is truncated to f32 or rounded to nearest even to f16. Subnormal numbers are kept. A block is 16 elements of k for
// f16 and bf16, 8 for tf32. All of this is in sum_block() and to_single().
//
// wgmma does the same. In sparse products, the elements of B that the metadata select are summed as if there were no
// others. For fp8, wgmma (not mma) truncates to 13 fraction bits, for 32 elements at once; a sum in f32 is then
// truncated to 13 bits, and a subnormal f16 accumulator is aligned as if it were normal.
//
// Products that are 0 do not take part in the alignment; a sum that is 0 or rounds to 0 is +0; a result of 2^128 or
// more is infinite. NaN results are 0x7fffffff or 0x7fff.
#pragma once

#include "common/simulator/machine/operations/floating.h"

namespace warpbook::simulator::operations::WB_ISA::tensor {

constexpr int kFractionBits = 25;
constexpr int kFractionBitsOfFp8 = 13;  ///< wgmma with fp8.
constexpr unsigned kMostDepth = 64;     ///< Largest k of a tile.
constexpr unsigned kColumns = 8;        ///< Columns of a tile.

/// Numbers are split into exponent and an 11-bit significand with the point after the first bit.
constexpr int kSignificandBits = 10;
constexpr std::int32_t kNoExponent = -100000;  ///< The exponent of 0, which does not take part in the alignment.

enum class Class : std::uint8_t { zero, finite, infinite, nan };

/// The parts of a matrix's numbers, [k][row] for A; for B the column takes the row's place.
template <unsigned Width>
struct Parts {
  alignas(64) std::int32_t significand[kMostDepth][Width];
  alignas(64) std::int32_t exponent[kMostDepth][Width];
};

/// Splits numbers with @p Exponent and @p Mantissa bits, in the low bits of words, into parts.
/// @returns whether there is an infinity or NaN among them; those get the parts of 0
template <int Exponent, int Mantissa>
inline bool take_apart(const std::uint32_t* bits, unsigned count, std::int32_t* significand, std::int32_t* exponent) {
  constexpr std::uint32_t top = (1u << Exponent) - 1, bias = top >> 1;
  std::uint32_t special = 0;
#pragma GCC ivdep
  for (unsigned i = 0; i < count; ++i) {
    const std::uint32_t field = (bits[i] >> Mantissa) & top, mantissa = bits[i] & ((1u << Mantissa) - 1);
    const std::uint32_t magnitude = (mantissa | (field != 0 ? 1u << Mantissa : 0u)) << (kSignificandBits - Mantissa);
    const std::uint32_t out = field == top ? ~0u : 0u, none = magnitude == 0 ? ~0u : out;
    special |= out;
    const auto sign = static_cast<std::int32_t>(0u - ((bits[i] >> (Exponent + Mantissa)) & 1u));
    significand[i] = (static_cast<std::int32_t>(magnitude & ~none) ^ sign) - sign;
    const auto place = static_cast<std::int32_t>((field != 0 ? field : 1u) - bias);
    exponent[i] = none != 0 ? kNoExponent : place;
  }
  return special != 0;
}

template <int Exponent, int Mantissa>
inline Class class_of(std::uint32_t bits) {
  constexpr std::uint32_t top = (1u << Exponent) - 1;
  const std::uint32_t field = (bits >> Mantissa) & top, mantissa = bits & ((1u << Mantissa) - 1);
  if (field != top) return field == 0 && mantissa == 0 ? Class::zero : Class::finite;
  return mantissa != 0 ? Class::nan : Class::infinite;
}

/// A column of a dense B: each row of A is multiplied by the same elements.
struct Column {
  std::int32_t significands[kMostDepth], exponents[kMostDepth];
  std::int32_t significand(unsigned k, unsigned) const { return significands[k]; }
  std::int32_t exponent(unsigned k, unsigned) const { return exponents[k]; }
};
/// A column of B as a sparse A selects it: each row of A is multiplied by elements of its own.
template <unsigned Rows>
struct SelectedColumn {
  std::int32_t significands[kMostDepth][Rows], exponents[kMostDepth][Rows];
  std::int32_t significand(unsigned k, unsigned row) const { return significands[k][row]; }
  std::int32_t exponent(unsigned k, unsigned row) const { return exponents[k][row]; }
};

/// One column of the result: for each row the sum of @p c and of the products for k in [begin, end), exact as a double.
/// This is the only place that models the accumulation.
/// @param c finite f32
/// @tparam Fraction number of fraction bits to which everything is truncated
/// @tparam LeastExponent of c: a smaller number is aligned without being normalised
template <unsigned Rows, int Fraction = kFractionBits, int LeastExponent = kNoExponent, class B>
inline void sum_block(const Parts<Rows>& a, const B& b, unsigned begin, unsigned end, const std::uint32_t* c,
                      double* sum) {
  std::int32_t largest[Rows], c_significand[Rows], c_exponent[Rows], total[Rows];
  for (unsigned row = 0; row < Rows; ++row) {
    const std::int32_t field = static_cast<std::int32_t>((c[row] >> 23) & 0xffu);
    const std::int32_t magnitude = static_cast<std::int32_t>(c[row] & 0x7fffffu) | (field != 0 ? 0x800000 : 0);
    c_significand[row] = magnitude;
    c_exponent[row] = magnitude == 0 ? kNoExponent : (field != 0 ? field : 1) - 127;
    if constexpr (LeastExponent != kNoExponent) {
      const std::int32_t low = magnitude != 0 && c_exponent[row] < LeastExponent ? LeastExponent - c_exponent[row] : 0;
      c_significand[row] >>= low;
      c_exponent[row] += low;
    }
    largest[row] = c_exponent[row];
    total[row] = 0;
  }
  for (unsigned k = begin; k < end; ++k) {
    for (unsigned row = 0; row < Rows; ++row) {
      const std::int32_t e = a.exponent[k][row] + b.exponent(k, row);
      largest[row] = e > largest[row] ? e : largest[row];
    }
  }
  // 16 products below 2^27 fit into 31 bits, and so do 32 of fp8.
  constexpr int kUp = Fraction > 2 * kSignificandBits ? Fraction - 2 * kSignificandBits : 0;
  constexpr int kDown = Fraction < 2 * kSignificandBits ? 2 * kSignificandBits - Fraction : 0;
  for (unsigned k = begin; k < end; ++k) {
    for (unsigned row = 0; row < Rows; ++row) {
      const std::int32_t product = a.significand[k][row] * b.significand(k, row);
      const std::int32_t below = largest[row] - (a.exponent[k][row] + b.exponent(k, row));
      const std::int32_t sign = product >> 31, magnitude = (product ^ sign) - sign;
      const std::int32_t aligned = ((magnitude << kUp) >> kDown) >> (below < 31 ? below : 31);
      total[row] += (aligned ^ sign) - sign;
    }
  }
  for (unsigned row = 0; row < Rows; ++row) {
    const std::int32_t below = largest[row] - c_exponent[row];
    constexpr int kUpOfC = Fraction > 23 ? Fraction - 23 : 0, kDownOfC = Fraction < 23 ? 23 - Fraction : 0;
    const std::int32_t aligned = ((c_significand[row] << kUpOfC) >> kDownOfC) >> (below < 31 ? below : 31);
    const double whole =
        static_cast<double>(total[row]) + static_cast<double>((c[row] >> 31) != 0 ? -aligned : aligned);
    const std::int32_t scale = (largest[row] > -900 ? largest[row] : -900) - Fraction;
    sum[row] = whole * double_of(static_cast<std::uint64_t>(scale + 1023) << 52);
  }
}

/// Truncates; too large values become infinite.
inline std::uint32_t to_single(double x) {
  const float nearest = static_cast<float>(x);
  const double size = x < 0 ? -x : x, nearest_size = nearest < 0 ? -nearest : nearest;
  return bits_of(nearest) - (nearest_size > size && size < 0x1p128 ? 1 : 0);
}

/// Rounds to nearest even.
inline std::uint32_t to_half(double x) { return narrow_double<F16, Rounding::rn>(x); }

/// How infinities and NaN determine a sum of products.
class Special {
 public:
  void add_product(Class a, Class b, bool negative) {
    const bool infinite = a == Class::infinite || b == Class::infinite, zero = a == Class::zero || b == Class::zero;
    if (a == Class::nan || b == Class::nan || (infinite && zero))
      nan_ = true;
    else if (infinite)
      (negative ? minus_ : plus_) = true;
  }
  void add(Class c, bool negative) { add_product(c, Class::finite, negative); }
  /// There are some, so the sum is an infinity or NaN.
  bool decides() const { return nan_ || plus_ || minus_; }
  std::uint32_t single() const { return is_nan() ? 0x7fffffffu : plus_ ? 0x7f800000u : 0xff800000u; }
  std::uint32_t half() const { return is_nan() ? 0x7fffu : plus_ ? 0x7c00u : 0xfc00u; }

 private:
  bool is_nan() const { return nan_ || (plus_ && minus_); }
  bool nan_ = false, plus_ = false, minus_ = false;
};

}  // namespace warpbook::simulator::operations::WB_ISA::tensor

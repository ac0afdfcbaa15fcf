// Tiles of floating-point products: operand formats, accumulators in registers, and the product of one tile.
//
// Compiled once for each instruction set, like lanes.h.
#pragma once

#include <algorithm>
#include <type_traits>

#include "common/simulator/machine/operations/matrix.h"
#include "common/simulator/machine/operations/matrix_floating.h"
#include "common/simulator/machine/operations/rounded.h"

namespace warpbook::simulator::operations::WB_ISA {

using tensor::kColumns;
using tensor::kMostDepth;

// Formats of A and B: their type in registers (Element), the conversion to a number (word, with kExponent and kMantissa
// bits), and how many values of k are summed at once.

struct HalfNumbers {
  using Element = std::uint16_t;
  static constexpr int kExponent = 5, kMantissa = 10;
  static constexpr unsigned kBlock = 16;
  static constexpr bool kAddsApart = false, kMovesPlaces = false;
  static constexpr int kFraction = tensor::kFractionBits, kLeastExponentOfHalf = tensor::kNoExponent;
  static std::uint32_t word(Element element) { return element; }
};
struct Bf16Numbers : HalfNumbers {
  static constexpr int kExponent = 8, kMantissa = 7;
};
/// The low 13 bits of a register are ignored.
struct Tf32Numbers {
  using Element = std::uint32_t;
  static constexpr int kExponent = 8, kMantissa = 10;
  static constexpr unsigned kBlock = 8;
  static constexpr bool kAddsApart = false, kMovesPlaces = false;
  static constexpr int kFraction = tensor::kFractionBits, kLeastExponentOfHalf = tensor::kNoExponent;
  static std::uint32_t word(Element element) { return element >> 13; }
};
/// For wmma, ptxas 13.0 generates two products of depth 4 (HMMA.1684) where mma has one of depth 8.
struct Tf32NumbersByFour : Tf32Numbers {
  static constexpr unsigned kBlock = 4;
};
// sm_90 has no fp8 mma. ptxas 13.0 converts the operands to halves and splits one mma into two mma of halves that start
// from 0: one with the first two numbers of each register, one with the last two. Then it adds the accumulator, which
// rounds once more. (wgmma has real fp8 instructions.)
struct E5m2Numbers : HalfNumbers {
  using Element = std::uint8_t;
  static constexpr bool kAddsApart = true;
  static std::uint32_t word(Element element) { return static_cast<std::uint32_t>(element) << 8; }
};
struct E4m3Numbers : E5m2Numbers {
  static std::uint32_t word(Element element) {
    const std::uint32_t sign = (element & 0x80u) << 8, magnitude = element & 0x7fu;
    if (magnitude == 0x7f) return sign | 0x7fffu;
    if (magnitude < 8) {  // Subnormal: magnitude * 2^-9, which is normal as a half.
      const std::uint32_t shift = magnitude < 2 ? 3 : magnitude < 4 ? 2 : 1;
      return magnitude == 0 ? sign : sign | (9 - shift) << 10 | ((magnitude << shift) & 7u) << 7;
    }
    return sign | ((magnitude << 7) + (8u << 10));
  }
};

/// wgmma aligns subnormal e4m3 numbers as they are: bits 16 and 17 say by how many places the half is normalised.
struct GroupE4m3Numbers : E4m3Numbers {
  static std::uint32_t word(Element element) {
    const std::uint32_t magnitude = element & 0x7fu;
    const std::uint32_t places = magnitude == 0 || magnitude > 7 ? 0 : magnitude < 2 ? 3 : magnitude < 4 ? 2 : 1;
    return E4m3Numbers::word(element) | places << 16;
  }
};
/// fp8 for wgmma, which has tensor core instructions of its own.
template <class F>
struct GroupFp8Numbers : F {
  static constexpr unsigned kBlock = 32;
  static constexpr bool kAddsApart = false, kMovesPlaces = true;
  static constexpr int kFraction = tensor::kFractionBitsOfFp8, kLeastExponentOfHalf = -14;
};

/// The format of C and D in each lane's registers; C is widened to f32.
enum class Accumulator : std::uint8_t { single, half };

template <unsigned Rows>
struct Tile {
  std::uint32_t bits[kColumns][Rows];
};

template <unsigned Rows>
void gather_accumulator(Warp& warp, const std::uint32_t* registers, Accumulator kind, Tile<Rows>& tile) {
  if (kind == Accumulator::single) {
    gather_c<std::uint32_t, Rows>(warp, registers, tile.bits);
    return;
  }
  for (unsigned r = 0; r < Rows / 8; ++r) {
    const std::uint32_t* from = slots<std::uint32_t>(warp, registers[r]);
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      tile.bits[2 * (lane % 4)][lane / 4 + 8 * r] = bits_of(F16::widen(from[lane] & 0xffffu));
      tile.bits[2 * (lane % 4) + 1][lane / 4 + 8 * r] = bits_of(F16::widen(from[lane] >> 16));
    }
  }
}

template <unsigned Rows>
void scatter_accumulator(Warp& warp, const std::uint32_t* registers, Accumulator kind, const Tile<Rows>& tile) {
  if (kind == Accumulator::single) {
    scatter_d<std::uint32_t, Rows>(warp, registers, tile.bits);
    return;
  }
  for (unsigned r = 0; r < Rows / 8; ++r) {
    std::uint32_t* to = slots<std::uint32_t>(warp, registers[r]);
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      to[lane] = tile.bits[2 * (lane % 4)][lane / 4 + 8 * r] | tile.bits[2 * (lane % 4) + 1][lane / 4 + 8 * r] << 16;
  }
}

inline bool is_finite(std::uint32_t single) { return (single & 0x7f800000u) != 0x7f800000u; }

/// Truncates an f32 to @p fraction fraction bits.
inline std::uint32_t cut_single(std::uint32_t bits, int fraction) {
  return is_finite(bits) ? bits & ~((1u << (23 - fraction)) - 1) : bits;
}

/// Rounds exact sums of a column to the result's format. A result of 0 is +0.
template <unsigned Rows>
void round_column(const double* sum, Accumulator kind, std::uint32_t* bits) {
  if (kind == Accumulator::single)
    for (unsigned row = 0; row < Rows; ++row) bits[row] = tensor::to_single(sum[row]);
  else
    for (unsigned row = 0; row < Rows; ++row) bits[row] = tensor::to_half(sum[row]);
  const std::uint32_t minus_zero = kind == Accumulator::single ? 0x80000000u : 0x8000u;
  for (unsigned row = 0; row < Rows; ++row) bits[row] = bits[row] == minus_zero ? 0 : bits[row];
}

/// Sorts fp8 values of k, four of which share a register, into the order in which they are summed.
template <unsigned Width>
void sort_halves_of_registers(std::uint32_t* words, unsigned depth) {
  std::uint32_t sorted[kMostDepth * Width];
  for (unsigned k = 0; k < depth; ++k) {
    const unsigned place = k % 4 / 2 * (depth / 2) + k / 4 * 2 + k % 2;
    std::copy_n(words + k * Width, Width, sorted + place * Width);
  }
  std::copy_n(sorted, depth * Width, words);
}

/// @p bits plus @p c, where both are already rounded (to f32 or f16): the last step of an fp8 mma.
inline std::uint32_t add_apart(std::uint32_t bits, std::uint32_t c, Accumulator kind) {
  if (kind == Accumulator::single) {
    const float sum = float_of(bits) + float_of(c);
    return sum == sum ? bits_of(sum) : 0x7fffffffu;
  }
  const double sum = static_cast<double>(F16::widen(bits)) + static_cast<double>(float_of(c));
  return sum == sum ? narrow_double<F16, Rounding::rn>(sum) : 0x7fffu;
}

/// Which elements of a column of B a sparse A is multiplied by: the index in k of each stored element, by row.
struct Selection {
  std::uint8_t of[kMostDepth][16];
};

/// Undoes the normalisation of GroupE4m3Numbers.
inline void move_places(const std::uint32_t* words, unsigned count, std::int32_t* significand, std::int32_t* exponent) {
  for (unsigned i = 0; i < count; ++i) {
    const std::int32_t places = static_cast<std::int32_t>(words[i] >> 16 & 3u);
    significand[i] /= 1 << places;
    exponent[i] += places;
  }
}

/// The column of B for the stored elements of A.
template <unsigned Rows, bool Sparse>
void take_column(const tensor::Parts<kColumns>& b, unsigned column, unsigned depth, const Selection* selection,
                 std::conditional_t<Sparse, tensor::SelectedColumn<Rows>, tensor::Column>& out) {
  for (unsigned k = 0; k < depth; ++k) {
    if constexpr (Sparse) {
      for (unsigned row = 0; row < Rows; ++row) {
        out.significands[k][row] = b.significand[selection->of[k][row]][column];
        out.exponents[k][row] = b.exponent[selection->of[k][row]][column];
      }
    } else {
      out.significands[k] = b.significand[k][column];
      out.exponents[k] = b.exponent[k][column];
    }
  }
}

/// D = A B + C for one tile. @p a holds words of F as [k][row], @p b as [k][column].
/// @param depth number of stored values of k in A: half of B's for a sparse A
/// @param selection for a sparse A only
template <class F, unsigned Rows, bool Sparse = false>
void multiply(const std::uint32_t* a, const std::uint32_t* b, unsigned depth, const Tile<Rows>& c, Accumulator kind,
              Tile<Rows>& d, const Selection* selection = nullptr) {
  static_assert(F::kMantissa <= tensor::kSignificandBits);
  tensor::Parts<Rows> a_parts;
  tensor::Parts<kColumns> b_parts;
  bool special =
      tensor::take_apart<F::kExponent, F::kMantissa>(a, depth * Rows, a_parts.significand[0], a_parts.exponent[0]);
  special |= tensor::take_apart<F::kExponent, F::kMantissa>(b, depth * (Sparse ? 2 : 1) * kColumns,
                                                            b_parts.significand[0], b_parts.exponent[0]);
  if constexpr (F::kMovesPlaces) {
    move_places(a, depth * Rows, a_parts.significand[0], a_parts.exponent[0]);
    move_places(b, depth * (Sparse ? 2 : 1) * kColumns, b_parts.significand[0], b_parts.exponent[0]);
  }
  const auto sign = [](std::uint32_t word) { return ((word >> (F::kExponent + F::kMantissa)) & 1u) != 0; };
  const unsigned block = F::kAddsApart ? depth / 2 : std::min(F::kBlock, depth);
  for (unsigned column = 0; column < kColumns; ++column) {
    std::conditional_t<Sparse, tensor::SelectedColumn<Rows>, tensor::Column> of_b;
    take_column<Rows, Sparse>(b_parts, column, depth, selection, of_b);
    std::uint32_t so_far[Rows], rounded[Rows] = {};
    for (unsigned row = 0; row < Rows; ++row) so_far[row] = F::kAddsApart ? 0 : c.bits[column][row];
    for (unsigned begin = 0; begin < depth; begin += block) {
      double sum[Rows];
      if (F::kLeastExponentOfHalf != tensor::kNoExponent && kind == Accumulator::half)
        tensor::sum_block<Rows, F::kFraction, F::kLeastExponentOfHalf>(a_parts, of_b, begin, begin + block, so_far,
                                                                       sum);
      else
        tensor::sum_block<Rows, F::kFraction>(a_parts, of_b, begin, begin + block, so_far, sum);
      round_column<Rows>(sum, kind, rounded);
      if (F::kFraction < 23 && kind == Accumulator::single)
        for (unsigned row = 0; row < Rows; ++row) rounded[row] = cut_single(rounded[row], F::kFraction);
      bool decided = special;
      for (unsigned row = 0; row < Rows; ++row) decided |= !is_finite(so_far[row]);
      for (unsigned row = 0; row < Rows && decided; ++row) {
        tensor::Special found;
        found.add(tensor::class_of<8, 23>(so_far[row]), (so_far[row] >> 31) != 0);
        for (unsigned k = begin; k < begin + block; ++k) {
          const unsigned in_b = Sparse ? selection->of[k][row] : k;
          const std::uint32_t x = a[k * Rows + row], y = b[in_b * kColumns + column];
          found.add_product(tensor::class_of<F::kExponent, F::kMantissa>(x),
                            tensor::class_of<F::kExponent, F::kMantissa>(y), sign(x) != sign(y));
        }
        if (found.decides()) rounded[row] = kind == Accumulator::half ? found.half() : found.single();
      }
      for (unsigned row = 0; row < Rows && begin + block < depth; ++row)
        so_far[row] = kind == Accumulator::half ? bits_of(F16::widen(rounded[row])) : rounded[row];
    }
    for (unsigned row = 0; row < Rows; ++row)
      d.bits[column][row] = F::kAddsApart ? add_apart(rounded[row], c.bits[column][row], kind) : rounded[row];
  }
}

}  // namespace warpbook::simulator::operations::WB_ISA

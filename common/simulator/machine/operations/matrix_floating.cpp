// Products of matrices of f16, bf16, tf32 and fp8: mma and wmma.mma.
#include "common/simulator/machine/operations/matrix_floating.h"

#include <algorithm>

#include "common/simulator/machine/operations/matrix.h"
#include "common/simulator/machine/operations/rounded.h"

namespace warpbook::simulator::operations::WB_ISA {
namespace {

using tensor::Class;
using tensor::kColumns;
using tensor::kMostDepth;

// Formats of A and B: how they lie in registers (Element), the number that they are (word, of kExponent and kMantissa
// bits), and how many of k are summed at once.

struct HalfNumbers {
  using Element = std::uint16_t;
  static constexpr int kExponent = 5, kMantissa = 10;
  static constexpr unsigned kBlock = 16;
  static constexpr bool kAddsApart = false;
  static std::uint32_t word(Element element) { return element; }
};
struct Bf16Numbers : HalfNumbers {
  static constexpr int kExponent = 8, kMantissa = 7;
};
/// The low 13 bits of a register are not looked at.
struct Tf32Numbers {
  using Element = std::uint32_t;
  static constexpr int kExponent = 8, kMantissa = 10;
  static constexpr unsigned kBlock = 8;
  static constexpr bool kAddsApart = false;
  static std::uint32_t word(Element element) { return element >> 13; }
};
/// For wmma, ptxas 13.0 makes two products of depth 4 (HMMA.1684) where mma has one of depth 8.
struct Tf32NumbersByFour : Tf32Numbers {
  static constexpr unsigned kBlock = 4;
};
// sm_90 has no mma of fp8: ptxas 13.0 makes halves of the factors and of one mma two of halves, which start from 0: one
// of the first two numbers of each register, one of the last two. Then it adds the accumulator, rounding once more.
// (wgmma of fp8 is another thing.)
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

/// What each lane's registers of C hold, as singles, and of D.
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

bool is_finite(std::uint32_t single) { return (single & 0x7f800000u) != 0x7f800000u; }

/// The sum of products and accumulator of a column in the result's format, from exact sums. What becomes 0 is +0.
template <unsigned Rows>
void round_column(const double* sum, Accumulator kind, std::uint32_t* bits) {
  if (kind == Accumulator::single)
    for (unsigned row = 0; row < Rows; ++row) bits[row] = tensor::to_single(sum[row]);
  else
    for (unsigned row = 0; row < Rows; ++row) bits[row] = tensor::to_half(sum[row]);
  const std::uint32_t minus_zero = kind == Accumulator::single ? 0x80000000u : 0x8000u;
  for (unsigned row = 0; row < Rows; ++row) bits[row] = bits[row] == minus_zero ? 0 : bits[row];
}

/// fp8's k, of which four lie in a register, in the order in which they are summed.
template <unsigned Width>
void sort_halves_of_registers(std::uint32_t* words, unsigned depth) {
  std::uint32_t sorted[kMostDepth * Width];
  for (unsigned k = 0; k < depth; ++k) {
    const unsigned place = k % 4 / 2 * (depth / 2) + k / 4 * 2 + k % 2;
    std::copy_n(words + k * Width, Width, sorted + place * Width);
  }
  std::copy_n(sorted, depth * Width, words);
}

/// @p bits and then @p c, both rounded singles (or halves): what fp8 does at the end.
std::uint32_t add_apart(std::uint32_t bits, std::uint32_t c, Accumulator kind) {
  if (kind == Accumulator::single) {
    const float sum = float_of(bits) + float_of(c);
    return sum == sum ? bits_of(sum) : 0x7fffffffu;
  }
  const double sum = static_cast<double>(F16::widen(bits)) + static_cast<double>(float_of(c));
  return sum == sum ? narrow_double<F16, Rounding::rn>(sum) : 0x7fffu;
}

/// One tile: D = A * B + C. @p a is [k][row], @p b is [k][column], of words of the format.
template <class F, unsigned Rows>
void multiply(const std::uint32_t* a, const std::uint32_t* b, unsigned depth, const Tile<Rows>& c, Accumulator kind,
              Tile<Rows>& d) {
  static_assert(F::kMantissa <= tensor::kSignificandBits);
  tensor::Parts<Rows> a_parts;
  tensor::Parts<kColumns> b_parts;
  bool special =
      tensor::take_apart<F::kExponent, F::kMantissa>(a, depth * Rows, a_parts.significand[0], a_parts.exponent[0]);
  special |=
      tensor::take_apart<F::kExponent, F::kMantissa>(b, depth * kColumns, b_parts.significand[0], b_parts.exponent[0]);
  const auto sign = [](std::uint32_t word) { return ((word >> (F::kExponent + F::kMantissa)) & 1u) != 0; };
  const unsigned block = F::kAddsApart ? depth / 2 : std::min(F::kBlock, depth);
  for (unsigned column = 0; column < kColumns; ++column) {
    std::int32_t significand[kMostDepth], exponent[kMostDepth];
    for (unsigned k = 0; k < depth; ++k) {
      significand[k] = b_parts.significand[k][column];
      exponent[k] = b_parts.exponent[k][column];
    }
    std::uint32_t so_far[Rows], rounded[Rows] = {};
    for (unsigned row = 0; row < Rows; ++row) so_far[row] = F::kAddsApart ? 0 : c.bits[column][row];
    for (unsigned begin = 0; begin < depth; begin += block) {
      double sum[Rows];
      tensor::sum_block<Rows>(a_parts, significand, exponent, begin, begin + block, so_far, sum);
      round_column<Rows>(sum, kind, rounded);
      bool decided = special;
      for (unsigned row = 0; row < Rows; ++row) decided |= !is_finite(so_far[row]);
      for (unsigned row = 0; row < Rows && decided; ++row) {
        tensor::Special found;
        found.add(tensor::class_of<8, 23>(so_far[row]), (so_far[row] >> 31) != 0);
        for (unsigned k = begin; k < begin + block; ++k) {
          const std::uint32_t x = a[k * Rows + row], y = b[k * kColumns + column];
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

/// A has format F, and B has G, which is the same but for fp8.
template <class F, class G, unsigned Rows, Accumulator Kind>
const Operation* product(Warp& warp, const Operation* op) {
  if (const Together together = meet(warp, op); !together.go) [[unlikely]]
    return together.next;
  const Tiles tiles = tiles_of(modifiers_of(warp, op).matrix, 8 * sizeof(typename F::Element));
  const std::uint32_t *a = fragment(warp, op->a), *b = fragment(warp, op->b), *c = fragment(warp, op->c),
                      *d = fragment(warp, op->d);
  constexpr unsigned kRegisters = Kind == Accumulator::single ? Rows / 4 : Rows / 8;
  // Results may go where factors are: all of them are read first.
  alignas(64) std::uint32_t a_words[kMostTiles][kMostDepth * Rows], b_words[kMostTiles][kMostDepth * kColumns];
  Tile<Rows> accumulator[kMostTiles];
  for (unsigned i = 0; i < tiles.down; ++i) {
    gather_a<typename F::Element, Rows>(warp, a + i * tiles.a_registers, tiles.a_registers, a_words[i], F::word);
    if constexpr (F::kAddsApart) sort_halves_of_registers<Rows>(a_words[i], tiles.k);
  }
  for (unsigned j = 0; j < tiles.across; ++j) {
    gather_b<typename G::Element>(warp, b + j * tiles.b_registers, tiles.b_registers, b_words[j], G::word);
    if constexpr (F::kAddsApart) sort_halves_of_registers<kColumns>(b_words[j], tiles.k);
  }
  const unsigned count = tiles.down * tiles.across;
  for (unsigned t = 0; t < count; ++t) gather_accumulator<Rows>(warp, c + t * kRegisters, Kind, accumulator[t]);
  for (unsigned t = 0; t < count; ++t) {
    Tile<Rows> result;
    multiply<F, Rows>(a_words[t / tiles.across], b_words[t % tiles.across], tiles.k, accumulator[t], Kind, result);
    scatter_accumulator<Rows>(warp, d + t * kRegisters, Kind, result);
  }
  return op + 1;
}

template <class F, class G = F>
Handler product_of(const Modifiers& m, Type c) {
  if (m.types[0] != c) return nullptr;  // C and D are of one type.
  const bool half = c == Type::f16;
  if (m.matrix.m == 8) return half ? product<F, G, 8, Accumulator::half> : product<F, G, 8, Accumulator::single>;
  return half ? product<F, G, 16, Accumulator::half> : product<F, G, 16, Accumulator::single>;
}

// m8n8k4: four products at once, each by two quads, lanes 4 q to 4 q + 3 and the same 16 further on. sm_90 has no such
// instruction: ptxas 13.0 makes a chain of fused multiplications and additions of it, and adds C at the end; where D is
// f16, two chains of two, which it adds to C one after the other.

unsigned quad_row(unsigned lane) { return lane % 4 + (lane < 16 ? 0 : 4); }

float quads_a(Warp& warp, const std::uint32_t* registers, bool column_major, unsigned q, unsigned row, unsigned k) {
  const unsigned high = row < 4 ? 0 : 16, lane = 4 * q + high + (column_major ? k : row % 4),
                 i = column_major ? row % 4 : k;
  return F16::widen(slots<std::uint32_t>(warp, registers[i / 2])[lane] >> (16 * (i % 2)) & 0xffffu);
}
float quads_b(Warp& warp, const std::uint32_t* registers, bool column_major, unsigned q, unsigned k, unsigned column) {
  return quads_a(warp, registers, !column_major, q, column, k);
}

/// Calls f(quads, row, column, register, half of it or 0, lane) for each element of an accumulator.
template <class F>
void for_each_of_quads(Accumulator kind, F f) {
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    for (unsigned i = 0; i < 8; ++i) {
      if (kind == Accumulator::half)
        f(lane % 16 / 4, quad_row(lane), i, i / 2, i % 2, lane);
      else
        f(lane % 16 / 4, (lane & 1) + (i & 2) + (lane < 16 ? 0 : 4), (i & 4) + (lane & 2) + (i & 1), i, 0u, lane);
    }
  }
}

template <Accumulator KindD, Accumulator KindC>
const Operation* quads_product(Warp& warp, const Operation* op) {
  if (const Together together = meet(warp, op); !together.go) [[unlikely]]
    return together.next;
  const Modifiers& m = modifiers_of(warp, op);
  const bool a_columns = (m.column_major & 1) != 0, b_columns = (m.column_major & 2) != 0;
  const std::uint32_t *a = fragment(warp, op->a), *b = fragment(warp, op->b), *c = fragment(warp, op->c),
                      *d = fragment(warp, op->d);
  float result[4][8][8];
  for_each_of_quads(KindC, [&](unsigned q, unsigned row, unsigned column, unsigned r, unsigned half, unsigned lane) {
    const auto add_products = [&](unsigned begin, unsigned end) {
      float sum = 0;
      for (unsigned k = begin; k < end; ++k)
        sum = FusedIeee<Rounding::rn>{}(quads_a(warp, a, a_columns, q, row, k),
                                        quads_b(warp, b, b_columns, q, k, column), sum);
      return sum;
    };
    const std::uint32_t bits = slots<std::uint32_t>(warp, c[r])[lane];
    const float start = KindC == Accumulator::half ? F16::widen(bits >> (16 * half) & 0xffffu) : float_of(bits);
    result[q][row][column] =
        KindD == Accumulator::half ? (start + add_products(0, 2)) + add_products(2, 4) : start + add_products(0, 4);
  });
  for_each_of_quads(KindD, [&](unsigned q, unsigned row, unsigned column, unsigned r, unsigned half, unsigned lane) {
    const float x = result[q][row][column];
    std::uint32_t& to = slots<std::uint32_t>(warp, d[r])[lane];
    if (KindD == Accumulator::single)
      to = x == x ? bits_of(x) : 0x7fffffffu;
    else
      to = (to & (half != 0 ? 0xffffu : 0xffff0000u)) | F16::narrow(x) << (16 * half);
  });
  return op + 1;
}

template <class F>
Handler fp8_of(const Modifiers& m) {
  return m.types[2] == Type::e4m3 ? product_of<F, E4m3Numbers>(m, m.types[3])
                                  : product_of<F, E5m2Numbers>(m, m.types[3]);
}

}  // namespace

Handler resolve_mma_half_quads(const Modifiers& m) {
  if (m.types[0] == Type::f16)
    return m.types[3] == Type::f16 ? quads_product<Accumulator::half, Accumulator::half> : nullptr;
  return m.types[3] == Type::f16 ? quads_product<Accumulator::single, Accumulator::half>
                                 : quads_product<Accumulator::single, Accumulator::single>;
}
Handler resolve_mma_half(const Modifiers& m) { return product_of<HalfNumbers>(m, m.types[3]); }
Handler resolve_mma_bf16(const Modifiers& m) { return product_of<Bf16Numbers>(m, m.types[3]); }
Handler resolve_mma_tf32(const Modifiers& m) { return product_of<Tf32Numbers>(m, m.types[3]); }
Handler resolve_mma_fp8(const Modifiers& m) {
  return m.types[1] == Type::e4m3 ? fp8_of<E4m3Numbers>(m) : fp8_of<E5m2Numbers>(m);
}
Handler resolve_wmma_mma_half(const Modifiers& m) {
  return m.satfinite ? nullptr : product_of<HalfNumbers>(m, m.types[1]);
}
Handler resolve_wmma_mma_bf16(const Modifiers& m) { return product_of<Bf16Numbers>(m, m.types[3]); }
Handler resolve_wmma_mma_tf32(const Modifiers& m) { return product_of<Tf32NumbersByFour>(m, m.types[3]); }

}  // namespace warpbook::simulator::operations::WB_ISA

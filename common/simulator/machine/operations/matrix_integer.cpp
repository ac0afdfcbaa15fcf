// Matrix products of integers and bits: mma and wmma.mma. The sum is exact; it wraps, or with .satfinite the last step
// saturates to 32 bits.
#include <bit>

#include "common/simulator/machine/operations/matrix_whole.h"

namespace warpbook::simulator::operations::WB_ISA {
namespace {

constexpr unsigned kMostDepthOfDense = 64;

template <unsigned Bits, unsigned Rows>
const Operation* product(Warp& warp, const Operation* op) {
  if (const Together together = meet(warp, op); !together.go) [[unlikely]]
    return together.next;
  const Modifiers& m = modifiers_of(warp, op);
  const Tiles tiles = tiles_of(m.matrix, Bits);
  const bool a_signed = is_signed_factor(m.types[1]);
  const bool b_signed = is_signed_factor(m.types[2]);
  const std::uint32_t *a = fragment(warp, op->a), *b = fragment(warp, op->b), *c = fragment(warp, op->c),
                      *d = fragment(warp, op->d);
  // Results may overwrite operands, so all operands are read first.
  alignas(64) std::int32_t a_words[kMostTiles][kMostDepthOfDense * Rows], b_words[kMostTiles][kMostDepthOfDense * 8];
  std::uint32_t start[kMostTiles][8][Rows];
  for (unsigned i = 0; i < tiles.down; ++i)
    gather_whole<Bits>(a_signed, tiles.k, Rows, a_words[i], [&](std::int32_t* out, auto convert) {
      gather_a<std::uint8_t, Rows>(warp, a + i * tiles.a_registers, tiles.a_registers, out, convert);
    });
  for (unsigned j = 0; j < tiles.across; ++j)
    gather_whole<Bits>(b_signed, tiles.k, 8, b_words[j], [&](std::int32_t* out, auto convert) {
      gather_b<std::uint8_t>(warp, b + j * tiles.b_registers, tiles.b_registers, out, convert);
    });
  const unsigned count = tiles.down * tiles.across;
  for (unsigned t = 0; t < count; ++t) gather_c<std::uint32_t, Rows>(warp, c + t * Rows / 4, start[t]);
  for (unsigned t = 0; t < count; ++t) {
    const std::int32_t *x = a_words[t / tiles.across], *y = b_words[t % tiles.across];
    alignas(64) std::int32_t sum[8][Rows] = {};
    for (unsigned column = 0; column < 8; ++column)
      for (unsigned k = 0; k < tiles.k; ++k)
        for (unsigned row = 0; row < Rows; ++row) sum[column][row] += x[k * Rows + row] * y[k * 8 + column];
    finish_whole<Rows>(warp, d + t * Rows / 4, sum, m.satfinite, start[t]);
  }
  return op + 1;
}

/// Bits: population count of a row of A xor (or and) a column of B.
template <unsigned Rows>
const Operation* bits_product(Warp& warp, const Operation* op) {
  if (const Together together = meet(warp, op); !together.go) [[unlikely]]
    return together.next;
  const Modifiers& m = modifiers_of(warp, op);
  const Tiles tiles = tiles_of(m.matrix, 1);
  const bool exclusive = m.atomic == ptx::AtomicOp::xor_;
  constexpr unsigned kMostWords = 256 / 32;
  const auto same = [](std::uint32_t word) { return word; };
  std::uint32_t a[kMostWords * Rows], b[kMostWords * 8], start[8][Rows];
  gather_a<std::uint32_t, Rows>(warp, fragment(warp, op->a), tiles.a_registers, a, same);
  gather_b<std::uint32_t>(warp, fragment(warp, op->b), tiles.b_registers, b, same);
  gather_c<std::uint32_t, Rows>(warp, fragment(warp, op->c), start);
  std::int32_t sum[8][Rows] = {};
  for (unsigned column = 0; column < 8; ++column)
    for (unsigned k = 0; k < tiles.k / 32; ++k)
      for (unsigned row = 0; row < Rows; ++row) {
        const std::uint32_t x = a[k * Rows + row], y = b[k * 8 + column];
        sum[column][row] += std::popcount(exclusive ? x ^ y : x & y);
      }
  finish_whole<Rows>(warp, fragment(warp, op->d), sum, false, start);
  return op + 1;
}

template <unsigned Bits>
Handler product_of(const Modifiers& m) {
  return m.matrix.m == 8 ? product<Bits, 8> : product<Bits, 16>;
}
Handler bits_of_shape(const Modifiers& m) { return m.matrix.m == 8 ? bits_product<8> : bits_product<16>; }

}  // namespace

Handler resolve_mma_s8(const Modifiers& m) { return product_of<8>(m); }
Handler resolve_mma_s4(const Modifiers& m) { return product_of<4>(m); }
Handler resolve_mma_b1(const Modifiers& m) { return bits_of_shape(m); }
Handler resolve_wmma_mma_s8(const Modifiers& m) { return product_of<8>(m); }
Handler resolve_wmma_mma_s4(const Modifiers& m) { return product_of<4>(m); }
Handler resolve_wmma_mma_b1(const Modifiers& m) { return bits_of_shape(m); }

}  // namespace warpbook::simulator::operations::WB_ISA

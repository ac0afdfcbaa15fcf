// Matrix products in f16, bf16, tf32 and fp8: mma and wmma.mma.
#include "common/simulator/machine/operations/matrix_tile.h"

namespace warpbook::simulator::operations::WB_ISA {
namespace {

/// A has format F and B has format G; they differ only for fp8.
template <class F, class G, unsigned Rows, Accumulator Kind>
const Operation* product(Warp& warp, const Operation* op) {
  if (const Together together = meet(warp, op); !together.go) [[unlikely]]
    return together.next;
  const Tiles tiles = tiles_of(modifiers_of(warp, op).matrix, 8 * sizeof(typename F::Element));
  const std::uint32_t *a = fragment(warp, op->a), *b = fragment(warp, op->b), *c = fragment(warp, op->c),
                      *d = fragment(warp, op->d);
  constexpr unsigned kRegisters = Kind == Accumulator::single ? Rows / 4 : Rows / 8;
  // Results may overwrite operands, so all operands are read first.
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
  if (m.types[0] != c) return nullptr;  // C and D have the same type.
  const bool half = c == Type::f16;
  if (m.matrix.m == 8) return half ? product<F, G, 8, Accumulator::half> : product<F, G, 8, Accumulator::single>;
  return half ? product<F, G, 16, Accumulator::half> : product<F, G, 16, Accumulator::single>;
}

// m8n8k4: four products at once, each by two quads: lanes 4 q to 4 q + 3 and the same plus 16. sm_90 has no such
// instruction. ptxas 13.0 turns it into a chain of fused multiply-adds and adds C at the end; if D is f16, into two
// chains of two, which it adds to C one after the other.

unsigned quad_row(unsigned lane) { return lane % 4 + (lane < 16 ? 0 : 4); }

float quads_a(Warp& warp, const std::uint32_t* registers, bool column_major, unsigned q, unsigned row, unsigned k) {
  const unsigned high = row < 4 ? 0 : 16, lane = 4 * q + high + (column_major ? k : row % 4),
                 i = column_major ? row % 4 : k;
  return F16::widen(slots<std::uint32_t>(warp, registers[i / 2])[lane] >> (16 * (i % 2)) & 0xffffu);
}
float quads_b(Warp& warp, const std::uint32_t* registers, bool column_major, unsigned q, unsigned k, unsigned column) {
  return quads_a(warp, registers, !column_major, q, column, k);
}

/// Calls f(quads, row, column, register, which half of it or 0, lane) for each element of an accumulator.
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

// Products of a sparse A with a dense B: mma.sp. A's registers hold its stored elements; metadata say where they are.
#include <algorithm>

#include "common/simulator/machine/operations/matrix_selection.h"
#include "common/simulator/machine/operations/matrix_whole.h"

namespace warpbook::simulator::operations::WB_ISA {
namespace {

/// The selection of an mma.sp: its metadata are operand f, its selector is the immediate.
Selection selection_of(Warp& warp, const Operation* op, const Modifiers& m, unsigned bits) {
  return operations::WB_ISA::selection_of(m.matrix.k / 2u, bits, static_cast<unsigned>(op->immediate),
                                          slots<std::uint32_t>(warp, op->f));
}

/// Sorts like sort_halves_of_registers() sorts the stored fp8 words.
void sort_selection(Selection& selection, unsigned stored) {
  const Selection before = selection;
  for (unsigned k = 0; k < stored; ++k)
    std::copy_n(before.of[k], 16, selection.of[k % 4 / 2 * (stored / 2) + k / 4 * 2 + k % 2]);
}

/// F and G convert A and B to words of Arithmetic.
template <class Arithmetic, class F, class G = F>
const Operation* sparse_product(Warp& warp, const Operation* op) {
  if (const Together together = meet(warp, op); !together.go) [[unlikely]]
    return together.next;
  const Modifiers& m = modifiers_of(warp, op);
  constexpr unsigned kBits = 8 * sizeof(typename F::Element), kInLane = 32 / kBits;
  const unsigned stored = m.matrix.k / 2u;
  const Accumulator kind = m.types[0] == Type::f16 ? Accumulator::half : Accumulator::single;
  Selection selection = selection_of(warp, op, m, kBits);
  alignas(64) std::uint32_t a[kMostDepth * 16], b[kMostDepth * kColumns];
  gather_a<typename F::Element, 16>(warp, fragment(warp, op->a), stored / (2 * kInLane), a, F::word);
  gather_b<typename G::Element>(warp, fragment(warp, op->b), m.matrix.k / (4 * kInLane), b, G::word);
  if constexpr (Arithmetic::kAddsApart) {
    sort_halves_of_registers<16>(a, stored);
    sort_selection(selection, stored);
  }
  Tile<16> c, d;
  gather_accumulator<16>(warp, fragment(warp, op->c), kind, c);
  multiply<Arithmetic, 16, true>(a, b, stored, c, kind, d, &selection);
  scatter_accumulator<16>(warp, fragment(warp, op->d), kind, d);
  return op + 1;
}

template <unsigned Bits>
const Operation* sparse_integers(Warp& warp, const Operation* op) {
  if (const Together together = meet(warp, op); !together.go) [[unlikely]]
    return together.next;
  const Modifiers& m = modifiers_of(warp, op);
  const unsigned k = m.matrix.k, stored = k / 2u;
  const Selection selection = selection_of(warp, op, m, Bits);
  alignas(64) std::int32_t a[kMostWholeDepth / 2 * 16], b[kMostWholeDepth * kColumns];
  gather_whole<Bits>(is_signed_factor(m.types[1]), stored, 16, a, [&](std::int32_t* out, auto convert) {
    gather_a<std::uint8_t, 16>(warp, fragment(warp, op->a), stored * Bits / 64, out, convert);
  });
  gather_whole<Bits>(is_signed_factor(m.types[2]), k, kColumns, b, [&](std::int32_t* out, auto convert) {
    gather_b<std::uint8_t>(warp, fragment(warp, op->b), k * Bits / 128, out, convert);
  });
  std::uint32_t c[kColumns][16];
  gather_c<std::uint32_t, 16>(warp, fragment(warp, op->c), c);
  std::int32_t sum[kColumns][16] = {};
  // 4-bit elements are in the order of gather_whole(): first the low halves of all bytes, then the high ones.
  constexpr unsigned kInByte = 8 / Bits;
  for (unsigned column = 0; column < kColumns; ++column)
    for (unsigned i = 0; i < stored; ++i) {
      const unsigned part = i / (stored / kInByte), byte = i % (stored / kInByte);
      for (unsigned row = 0; row < 16; ++row) {
        const unsigned in_b = part * (k / kInByte) + selection.of[byte * kInByte][row] / kInByte;
        sum[column][row] += a[i * 16 + row] * b[in_b * kColumns + column];
      }
    }
  finish_whole<16>(warp, fragment(warp, op->d), sum, m.satfinite, c);
  return op + 1;
}

/// C and D have the same type.
template <class F>
Handler sparse_of(const Modifiers& m) {
  return m.types[0] == m.types[3] ? sparse_product<F, F> : nullptr;
}

template <class F>
Handler sparse_fp8_of(const Modifiers& m) {
  return m.types[2] == Type::e4m3 ? sparse_product<E5m2Numbers, F, E4m3Numbers>
                                  : sparse_product<E5m2Numbers, F, E5m2Numbers>;
}

}  // namespace

Handler resolve_mma_sp_half(const Modifiers& m) { return sparse_of<HalfNumbers>(m); }
Handler resolve_mma_sp_bf16(const Modifiers& m) { return sparse_of<Bf16Numbers>(m); }
Handler resolve_mma_sp_tf32(const Modifiers& m) { return sparse_of<Tf32Numbers>(m); }
Handler resolve_mma_sp_fp8(const Modifiers& m) {
  return m.types[1] == Type::e4m3 ? sparse_fp8_of<E4m3Numbers>(m) : sparse_fp8_of<E5m2Numbers>(m);
}
Handler resolve_mma_sp_s8(const Modifiers&) { return sparse_integers<8>; }
Handler resolve_mma_sp_s4(const Modifiers&) { return sparse_integers<4>; }

}  // namespace warpbook::simulator::operations::WB_ISA

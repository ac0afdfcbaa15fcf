// Matrix products in f64: mma and wmma.mma. Each element is a chain of fused multiply-adds in the order of k, starting
// from C.
//
// This is what an H200 returned on 2026-11-23 (tensor_probe), including NaN payloads: each step keeps them as fma.f64
// does.
#include "common/simulator/machine/operations/matrix.h"
#include "common/simulator/machine/operations/rounded.h"

namespace warpbook::simulator::operations::WB_ISA {
namespace {

template <unsigned Rows, Rounding R>
const Operation* product(Warp& warp, const Operation* op) {
  if (const Together together = meet(warp, op); !together.go) [[unlikely]]
    return together.next;
  const Tiles tiles = tiles_of(modifiers_of(warp, op).matrix, 64);
  constexpr unsigned kMostDepth = 16;
  const auto as_double = [](std::uint64_t bits) { return double_of(bits); };
  alignas(64) double a[kMostDepth * Rows], b[kMostDepth * 8];
  std::uint64_t c[8][Rows];
  gather_a<std::uint64_t, Rows>(warp, fragment(warp, op->a), tiles.a_registers, a, as_double);
  gather_b<std::uint64_t>(warp, fragment(warp, op->b), tiles.b_registers, b, as_double);
  gather_c<std::uint64_t, Rows>(warp, fragment(warp, op->c), c);
  {
    const RoundingScope<R> scope;
    for (unsigned column = 0; column < 8; ++column) {
      alignas(64) double sum[Rows];
      for (unsigned row = 0; row < Rows; ++row) sum[row] = double_of(c[column][row]);
      for (unsigned k = 0; k < tiles.k; ++k) {
        const double factor = b[k * 8 + column];
        for (unsigned row = 0; row < Rows; ++row) sum[row] = __builtin_fma(a[k * Rows + row], factor, sum[row]);
      }
      for (unsigned row = 0; row < Rows; ++row) {
        double x = sum[row];
        if (x != x) [[unlikely]] {  // Repeat it with the right payloads.
          x = double_of(c[column][row]);
          for (unsigned k = 0; k < tiles.k; ++k) x = FusedKeepsNans<R>{}(a[k * Rows + row], b[k * 8 + column], x);
        }
        c[column][row] = bits_of(x);
      }
    }
  }
  scatter_d<std::uint64_t, Rows>(warp, fragment(warp, op->d), c);
  return op + 1;
}

Handler product_of(const Modifiers& m) {
  return for_rounding(m.rounding,
                      [&]<Rounding R>(Mode<R>) -> Handler { return m.matrix.m == 8 ? product<8, R> : product<16, R>; });
}

}  // namespace

Handler resolve_mma_f64(const Modifiers& m) { return product_of(m); }
Handler resolve_wmma_mma_f64(const Modifiers& m) { return product_of(m); }

}  // namespace warpbook::simulator::operations::WB_ISA

// Warpgroup matrix products: wgmma.mma_async, dense and sparse, and its fences and groups.
//
// Each of the four warps has 16 of the 64 rows of A and D and computes its own part. The result and the reads of shared
// memory are complete when the instruction has executed, which is one of the orders that the manual allows. ptxas does
// the same where accumulators are read before the wait: it makes the instruction wait first.
#include <bit>
#include <string>

#include "common/simulator/machine/access_messages.h"
#include "common/simulator/machine/block_state.h"
#include "common/simulator/machine/group_layout.h"
#include "common/simulator/machine/operations/matrix_selection.h"
#include "common/simulator/machine/operations/matrix_whole.h"
#include "common/simulator/ptx/group_products.h"

namespace warpbook::simulator::operations::WB_ISA {
namespace {

constexpr unsigned kWarpsOfGroup = 4, kRowsOfWarp = 16;

/// Operands other than fragment registers.
struct GroupOperands {
  ptx::GroupImmediates immediates;
  bool accumulates = true;
  GroupLayout a, b;
  std::uint32_t a_line = 0;  ///< The warp's first row.
};

/// Raises a fault if threads are missing or differ in a value that must be the same.
bool find_operands(Warp& warp, const Operation* op, GroupOperands& found) {
  const OperationDetail& detail = warp.program->details[op->index];
  const auto fail = [&](unsigned lane, const std::string& why) {
    raise(warp, op, FaultKind::unsupported, lane, 0, 0, false, "`" + detail.spelling + "` " + why);
    return false;
  };
  const std::size_t warps = state_of(warp).state->warps.size();
  if ((warp.index | (kWarpsOfGroup - 1)) >= warps)
    return fail(0, "is executed by warp " + std::to_string(warp.index) + " of a block of " + std::to_string(warps) +
                       ": a warpgroup is four warps, from one whose number is a multiple of four");
  found.immediates = ptx::group_immediates(detail.id, op->immediate);
  const bool sparse = ptx::is_sparse_product(detail.id);
  const std::uint32_t scale = sparse ? op->f : op->c;
  const std::uint32_t accumulates = predicate_input(warp, op, scale, sparse ? 3 : 2);
  if (accumulates != 0 && accumulates != kFullMask)
    return fail(static_cast<unsigned>(std::countr_zero(~accumulates)),
                "needs the same scale-d in all threads of a warp; they differ");
  found.accumulates = accumulates != 0;
  const auto uniform = [&](std::uint32_t slot, const char* name) {
    const std::uint64_t* const descriptor = slots<std::uint64_t>(warp, slot);
    for (unsigned lane = 1; lane < kWarpSize; ++lane)
      if (descriptor[lane] != descriptor[0])
        return fail(lane,
                    std::string("needs the same descriptor of ") + name + " in all threads of a warp; they differ");
    return true;
  };
  found.a_line = warp.index % kWarpsOfGroup * kRowsOfWarp;
  if (!ptx::has_a_in_registers(detail.id)) {
    if (!uniform(op->a, "A")) return false;
    found.a = group_layout(*slots<std::uint64_t>(warp, op->a), found.immediates.transposes_a);
  }
  if (!uniform(op->b, "B")) return false;
  found.b = group_layout(*slots<std::uint64_t>(warp, op->b), found.immediates.transposes_b);
  // Where an H200 reads when a row of the swizzle pattern is shorter than a line of k is not known.
  if (sparse && !found.b.transposed && found.b.pieces == 2)
    return fail(
        0, "has a sparse A and a B along k with a swizzle of 32 bytes, which is not supported: use 64 or 128 bytes");
  return true;
}

/// Groups of eight lines [@p first, @p first + Width / 8) of an operand in shared memory as out[k][line]; each element
/// is converted by convert(T). @returns false after a fault
template <class T, unsigned Width, class Out, class F>
bool gather_shared(Warp& warp, const Operation* op, const GroupLayout& layout, unsigned first, unsigned depth, Out* out,
                   F convert) {
  constexpr unsigned kInPiece = kPieceBytes / sizeof(T);
  const auto read = [&](unsigned line, unsigned piece, T* elements) {
    const std::uint32_t place = layout.place(line, piece);
    if (place + kPieceBytes > warp.shared_bytes) [[unlikely]] {
      raise(warp, op, FaultKind::out_of_bounds, 0, place, kPieceBytes, false,
            describe_outside(ptx::Space::shared, place, kPieceBytes, false, warp.shared_bytes));
      return false;
    }
    std::memcpy(elements, warp.shared + place, kPieceBytes);
    return true;
  };
  T elements[kInPiece];
  if (layout.transposed) {
    for (unsigned k = 0; k < depth; ++k)
      for (unsigned eight = 0; eight < Width / 8; ++eight) {
        if (!read(k, first / 8 + eight, elements)) return false;
        for (unsigned e = 0; e < kInPiece; ++e) out[k * Width + eight * 8 + e] = convert(elements[e]);
      }
    return true;
  }
  for (unsigned line = 0; line < Width; ++line)
    for (unsigned piece = 0; piece < depth / kInPiece; ++piece) {
      if (!read(first + line, piece, elements)) return false;
      for (unsigned e = 0; e < kInPiece; ++e) out[(piece * kInPiece + e) * Width + line] = convert(elements[e]);
    }
  return true;
}

/// The words of an operand: F converts elements from memory or from registers.
template <class F>
struct Words {
  static bool a(Warp& warp, const Operation* op, const GroupOperands& operands, bool in_registers, unsigned depth,
                std::uint32_t* out) {
    using T = typename F::Element;
    if (!in_registers) return gather_shared<T, kRowsOfWarp>(warp, op, operands.a, operands.a_line, depth, out, F::word);
    gather_a<T, kRowsOfWarp>(warp, fragment(warp, op->a), 4, out, F::word);
    return true;
  }
  static bool b(Warp& warp, const Operation* op, const GroupOperands& operands, unsigned column, unsigned depth,
                std::uint32_t* out) {
    return gather_shared<typename F::Element, kColumns>(warp, op, operands.b, column, depth, out, F::word);
  }
};

/// Selection and depths of a product.
struct GroupDepth {
  unsigned k = 0, stored = 0;
  Selection selection;
};
template <bool Sparse>
void find_depth(Warp& warp, const Operation* op, const Modifiers& m, const GroupOperands& operands, GroupDepth& depth) {
  depth.k = m.matrix.k;
  depth.stored = Sparse ? depth.k / 2 : depth.k;
  if constexpr (Sparse)
    depth.selection =
        selection_of(depth.stored, 256 / depth.stored, operands.immediates.selector, slots<std::uint32_t>(warp, op->c));
}

/// F and G convert A and B to words of Arithmetic.
template <class Arithmetic, class F, class G, bool Sparse>
const Operation* group_product(Warp& warp, const Operation* op) {
  if (const Together together = meet(warp, op); !together.go) [[unlikely]]
    return together.next;
  GroupOperands operands;
  if (!find_operands(warp, op, operands)) return nullptr;
  const Modifiers& m = modifiers_of(warp, op);
  const bool in_registers = ptx::has_a_in_registers(warp.program->details[op->index].id);
  const Accumulator kind = m.types[0] == Type::f16 ? Accumulator::half : Accumulator::single;
  const unsigned of_tile = kind == Accumulator::half ? 2 : 4;
  GroupDepth depth;
  find_depth<Sparse>(warp, op, m, operands, depth);
  alignas(64) std::uint32_t a[kMostDepth * kRowsOfWarp], b[kMostDepth * kColumns];
  if (!Words<F>::a(warp, op, operands, in_registers, depth.stored, a)) return nullptr;
  if (operands.immediates.negates)
    for (unsigned i = 0; i < depth.stored * kRowsOfWarp; ++i)
      a[i] ^= 1u << (Arithmetic::kExponent + Arithmetic::kMantissa);
  const std::uint32_t* const registers = fragment(warp, op->d);
  for (unsigned tile = 0; tile < m.matrix.n / kColumns; ++tile) {
    if (!Words<G>::b(warp, op, operands, tile * kColumns, depth.k, b)) return nullptr;
    Tile<kRowsOfWarp> c = {}, d;
    if (operands.accumulates) gather_accumulator<kRowsOfWarp>(warp, registers + tile * of_tile, kind, c);
    multiply<Arithmetic, kRowsOfWarp, Sparse>(a, b, depth.stored, c, kind, d, &depth.selection);
    scatter_accumulator<kRowsOfWarp>(warp, registers + tile * of_tile, kind, d);
  }
  return op + 1;
}

template <bool Sparse>
const Operation* group_integers(Warp& warp, const Operation* op) {
  if (const Together together = meet(warp, op); !together.go) [[unlikely]]
    return together.next;
  GroupOperands operands;
  if (!find_operands(warp, op, operands)) return nullptr;
  const Modifiers& m = modifiers_of(warp, op);
  GroupDepth depth;
  find_depth<Sparse>(warp, op, m, operands, depth);
  alignas(64) std::int32_t a[32 * kRowsOfWarp], b[64 * kColumns];
  const auto convert = [](Type type) { return is_signed_factor(type) ? whole_byte<true> : whole_byte<false>; };
  if (ptx::has_a_in_registers(warp.program->details[op->index].id))
    gather_a<std::uint8_t, kRowsOfWarp>(warp, fragment(warp, op->a), 4, a, convert(m.types[1]));
  else if (!gather_shared<std::uint8_t, kRowsOfWarp>(warp, op, operands.a, operands.a_line, depth.stored, a,
                                                     convert(m.types[1])))
    return nullptr;
  const std::uint32_t* const registers = fragment(warp, op->d);
  for (unsigned tile = 0; tile < m.matrix.n / kColumns; ++tile) {
    if (!gather_shared<std::uint8_t, kColumns>(warp, op, operands.b, tile * kColumns, depth.k, b, convert(m.types[2])))
      return nullptr;
    std::uint32_t c[kColumns][kRowsOfWarp] = {};
    if (operands.accumulates) gather_c<std::uint32_t, kRowsOfWarp>(warp, registers + tile * 4, c);
    std::int32_t sum[kColumns][kRowsOfWarp] = {};
    for (unsigned column = 0; column < kColumns; ++column)
      for (unsigned i = 0; i < depth.stored; ++i)
        for (unsigned row = 0; row < kRowsOfWarp; ++row) {
          const unsigned in_b = Sparse ? depth.selection.of[i][row] : i;
          sum[column][row] += a[i * kRowsOfWarp + row] * b[in_b * kColumns + column];
        }
    finish_whole<kRowsOfWarp>(warp, registers + tile * 4, sum, m.satfinite, c);
  }
  return op + 1;
}

/// Bits: population count of a row of A combined with a column of B.
const Operation* group_bits(Warp& warp, const Operation* op) {
  if (const Together together = meet(warp, op); !together.go) [[unlikely]]
    return together.next;
  GroupOperands operands;
  if (!find_operands(warp, op, operands)) return nullptr;
  const Modifiers& m = modifiers_of(warp, op);
  constexpr unsigned kWords = 256 / 32;
  const auto same = [](std::uint32_t word) { return word; };
  std::uint32_t a[kWords * kRowsOfWarp], b[kWords * kColumns];
  if (ptx::has_a_in_registers(warp.program->details[op->index].id))
    gather_a<std::uint32_t, kRowsOfWarp>(warp, fragment(warp, op->a), 4, a, same);
  else if (!gather_shared<std::uint32_t, kRowsOfWarp>(warp, op, operands.a, operands.a_line, kWords, a, same))
    return nullptr;
  const std::uint32_t* const registers = fragment(warp, op->d);
  for (unsigned tile = 0; tile < m.matrix.n / kColumns; ++tile) {
    if (!gather_shared<std::uint32_t, kColumns>(warp, op, operands.b, tile * kColumns, kWords, b, same)) return nullptr;
    std::uint32_t c[kColumns][kRowsOfWarp] = {};
    if (operands.accumulates) gather_c<std::uint32_t, kRowsOfWarp>(warp, registers + tile * 4, c);
    std::int32_t sum[kColumns][kRowsOfWarp] = {};
    for (unsigned column = 0; column < kColumns; ++column)
      for (unsigned k = 0; k < kWords; ++k)
        for (unsigned row = 0; row < kRowsOfWarp; ++row)
          sum[column][row] += std::popcount(a[k * kRowsOfWarp + row] & b[k * kColumns + column]);
    finish_whole<kRowsOfWarp>(warp, registers + tile * 4, sum, false, c);
  }
  return op + 1;
}

/// Fences, commits and waits: everything that they order has already happened.
const Operation* order_group(Warp& warp, const Operation* op) {
  if (const Together together = meet(warp, op); !together.go) [[unlikely]]
    return together.next;
  return op + 1;
}

template <class F, bool Sparse>
Handler group_fp8_of(const Modifiers& m) {
  using Numbers = GroupFp8Numbers<E5m2Numbers>;
  return m.types[2] == Type::e4m3 ? group_product<Numbers, F, GroupE4m3Numbers, Sparse>
                                  : group_product<Numbers, F, E5m2Numbers, Sparse>;
}
template <bool Sparse>
Handler group_fp8(const Modifiers& m) {
  return m.types[1] == Type::e4m3 ? group_fp8_of<GroupE4m3Numbers, Sparse>(m) : group_fp8_of<E5m2Numbers, Sparse>(m);
}
template <class F, bool Sparse>
constexpr Handler kGroupProduct = group_product<F, F, F, Sparse>;

}  // namespace

Handler resolve_wgmma_half(const Modifiers&) { return kGroupProduct<HalfNumbers, false>; }
Handler resolve_wgmma_bf16(const Modifiers&) { return kGroupProduct<Bf16Numbers, false>; }
Handler resolve_wgmma_tf32(const Modifiers&) { return kGroupProduct<Tf32Numbers, false>; }
Handler resolve_wgmma_fp8(const Modifiers& m) { return group_fp8<false>(m); }
Handler resolve_wgmma_s8(const Modifiers&) { return group_integers<false>; }
Handler resolve_wgmma_b1(const Modifiers&) { return group_bits; }
Handler resolve_wgmma_sp_half(const Modifiers&) { return kGroupProduct<HalfNumbers, true>; }
Handler resolve_wgmma_sp_bf16(const Modifiers&) { return kGroupProduct<Bf16Numbers, true>; }
Handler resolve_wgmma_sp_tf32(const Modifiers&) { return kGroupProduct<Tf32Numbers, true>; }
Handler resolve_wgmma_sp_fp8(const Modifiers& m) { return group_fp8<true>(m); }
Handler resolve_wgmma_sp_s8(const Modifiers&) { return group_integers<true>; }

Handler resolve_wgmma_half_registers(const Modifiers& m) { return resolve_wgmma_half(m); }
Handler resolve_wgmma_bf16_registers(const Modifiers& m) { return resolve_wgmma_bf16(m); }
Handler resolve_wgmma_tf32_registers(const Modifiers& m) { return resolve_wgmma_tf32(m); }
Handler resolve_wgmma_fp8_registers(const Modifiers& m) { return resolve_wgmma_fp8(m); }
Handler resolve_wgmma_s8_registers(const Modifiers& m) { return resolve_wgmma_s8(m); }
Handler resolve_wgmma_b1_registers(const Modifiers& m) { return resolve_wgmma_b1(m); }
Handler resolve_wgmma_sp_half_registers(const Modifiers& m) { return resolve_wgmma_sp_half(m); }
Handler resolve_wgmma_sp_bf16_registers(const Modifiers& m) { return resolve_wgmma_sp_bf16(m); }
Handler resolve_wgmma_sp_tf32_registers(const Modifiers& m) { return resolve_wgmma_sp_tf32(m); }
Handler resolve_wgmma_sp_fp8_registers(const Modifiers& m) { return resolve_wgmma_sp_fp8(m); }
Handler resolve_wgmma_sp_s8_registers(const Modifiers& m) { return resolve_wgmma_sp_s8(m); }

Handler resolve_wgmma_fence(const Modifiers&) { return order_group; }
Handler resolve_wgmma_commit_group(const Modifiers&) { return order_group; }
Handler resolve_wgmma_wait_group(const Modifiers&) { return order_group; }

}  // namespace warpbook::simulator::operations::WB_ISA

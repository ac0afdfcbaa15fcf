// Comparisons of f16, bf16 and their pairs: set, setp. A half is compared after widening to f32.
#include "common/simulator/machine/operations/compare.h"
#include "common/simulator/machine/operations/floating.h"

namespace warpbook::simulator::operations::WB_ISA {
namespace {

/// One half of a register, widened to f32.
template <class H, bool Ftz, unsigned Shift>
struct HalfAt {
  using Stored = std::uint32_t;
  float operator()(std::uint32_t a) const {
    const std::uint32_t h = (a >> Shift) & 0xffffu;
    return H::widen(Ftz && (h & H::kInfinity) == 0 ? h & 0x8000u : h);
  }
};

/// setp on pairs: p is for the low half, q for the high one; a third operand is combined with both.
template <Comparer Low, Comparer High>
const Operation* setp_pair(Warp& warp, const Operation* op) {
  std::uint32_t low = Low(warp, op), high = High(warp, op);
  const BoolOp bool_op = modifiers_of(warp, op).bool_op;
  if (bool_op != BoolOp::none) {
    const std::uint32_t c = predicate_input(warp, op, op->c, 2);
    low = combine(bool_op, low, c);
    high = combine(bool_op, high, c);
  }
  set_predicate(warp, op->d, low);
  set_predicate(warp, op->e, high);
  return op + 1;
}

/// set on pairs: "true" in each half of the destination, or in the whole integer if both halves hold.
template <Comparer Low, Comparer High>
const Operation* set_pair(Warp& warp, const Operation* op) {
  const Modifiers& m = modifiers_of(warp, op);
  std::uint32_t low = Low(warp, op), high = High(warp, op);
  if (m.bool_op != BoolOp::none) {
    const std::uint32_t c = predicate_input(warp, op, op->c, 2);
    low = combine(m.bool_op, low, c);
    high = combine(m.bool_op, high, c);
  }
  const std::uint32_t yes = true_value(m.types[0]);
  std::uint32_t* d = slots<std::uint32_t>(warp, op->d);
  const std::uint32_t* on = warp.exec_words();
  WB_LANES {
    const std::uint32_t value =
        (((low >> lane) & 1u) ? yes & 0xffffu : 0u) | (((high >> lane) & 1u) ? yes & 0xffff0000u : 0u);
    d[lane] = on[lane] ? value : d[lane];
  }
  return op + 1;
}

enum class Use { setp, setp_bool, set };

template <Use U, class H, bool Ftz>
Handler for_half_compare(Compare compare, bool packed) {
  return for_compare<true>(compare, [packed]<Compare C>(Case<C>) -> Handler {
    constexpr Comparer low = compare_call<HalfAt<H, Ftz, 0>, C>, high = compare_call<HalfAt<H, Ftz, 16>, C>;
    if constexpr (U == Use::set) return packed ? set_pair<low, high> : set_value<low>;
    if (packed) return setp_pair<low, high>;
    if constexpr (U == Use::setp)
      return setp<HalfAt<H, Ftz, 0>, C>;
    else
      return setp_bool<low>;
  });
}

template <Use U>
Handler compare_halves(const Modifiers& m, Type source) {
  const bool packed = source == Type::f16x2 || source == Type::bf16x2;
  if (source == Type::bf16 || source == Type::bf16x2) {
    return m.ftz ? nullptr : for_half_compare<U, Bf16, false>(m.compare, packed);
  }
  return m.ftz ? for_half_compare<U, F16, true>(m.compare, packed) : for_half_compare<U, F16, false>(m.compare, packed);
}

}  // namespace

Handler resolve_setp_half(const Modifiers& m) { return compare_halves<Use::setp>(m, m.types[0]); }
Handler resolve_setp_half_bool(const Modifiers& m) { return compare_halves<Use::setp_bool>(m, m.types[0]); }
Handler resolve_set_half(const Modifiers& m) { return compare_halves<Use::set>(m, m.types[1]); }
Handler resolve_set_half_bool(const Modifiers& m) { return compare_halves<Use::set>(m, m.types[1]); }

}  // namespace warpbook::simulator::operations::WB_ISA

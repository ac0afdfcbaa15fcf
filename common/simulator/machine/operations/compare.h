// Comparisons as functors, and the handlers of set and setp made from them; shared by compare.cpp and compare_half.cpp.
//
// A comparison first computes a mask of all 32 lanes. How it is used (as a predicate, as a pair of predicates, in a
// boolean operation with a third operand, or as a value for set) is separate code, so that there are few copies of the
// vector loop.
#pragma once

#include "common/simulator/machine/operations/handlers.h"

#if defined(__SSE2__)
#include <immintrin.h>
#elif defined(__ARM_NEON)
#include <arm_neon.h>
#endif

namespace warpbook::simulator::operations::WB_ISA {

using ptx::BoolOp;
using ptx::Compare;

template <Compare C>
struct Comparison {
  /// For NaN the ordered comparisons are false, and the unordered ones ("equ") true.
  template <class T>
  bool operator()(T a, T b) const {
    if constexpr (C == Compare::eq)
      return a == b;
    else if constexpr (C == Compare::ne)
      return std::is_floating_point_v<T> ? (a < b) | (a > b) : a != b;
    else if constexpr (C == Compare::lt || C == Compare::lo)
      return a < b;
    else if constexpr (C == Compare::le || C == Compare::ls)
      return a <= b;
    else if constexpr (C == Compare::gt || C == Compare::hi)
      return a > b;
    else if constexpr (C == Compare::ge || C == Compare::hs)
      return a >= b;
    else if constexpr (C == Compare::equ)
      return !((a < b) | (a > b));
    else if constexpr (C == Compare::neu)
      return a != b;
    else if constexpr (C == Compare::ltu)
      return !(a >= b);
    else if constexpr (C == Compare::leu)
      return !(a > b);
    else if constexpr (C == Compare::gtu)
      return !(a <= b);
    else if constexpr (C == Compare::geu)
      return !(a < b);
    else if constexpr (C == Compare::num)
      return (a == a) & (b == b);  // NOLINT(misc-redundant-expression): no NaN, in vectors
    else
      return (a != a) | (b != b);  // NOLINT(misc-redundant-expression): a NaN, in vectors
  }
};

/// 32 words of 0 or ~0 to a lane mask.
inline std::uint32_t movemask(const std::uint32_t* words) {
#if defined(__AVX512DQ__)
  const __m512i* v = reinterpret_cast<const __m512i*>(words);
  return static_cast<std::uint32_t>(_mm512_movepi32_mask(v[0])) | static_cast<std::uint32_t>(_mm512_movepi32_mask(v[1]))
                                                                      << 16;
#elif defined(__AVX2__)
  std::uint32_t mask = 0;
  for (unsigned k = 0; k < 4; ++k)
    mask |=
        static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_load_ps(reinterpret_cast<const float*>(words) + 8 * k)))
        << (8 * k);
  return mask;
#elif defined(__SSE2__)
  std::uint32_t mask = 0;
  for (unsigned k = 0; k < 8; ++k)
    mask |= static_cast<std::uint32_t>(_mm_movemask_ps(_mm_load_ps(reinterpret_cast<const float*>(words) + 4 * k)))
            << (4 * k);
  return mask;
#elif defined(__ARM_NEON)  // Four words at a time: one bit of each, then their sum.
  const std::uint32_t bits[4] = {1, 2, 4, 8};
  const uint32x4_t bit = vld1q_u32(bits);
  std::uint32_t mask = 0;
  for (unsigned k = 0; k < 8; ++k) mask |= vaddvq_u32(vandq_u32(vld1q_u32(words + 4 * k), bit)) << (4 * k);
  return mask;
#else
  return mask_of(words);
#endif
}

/// The value that is compared: the number itself, a number with subnormals flushed, or a half as a float.
template <class T>
struct Plain {
  using Stored = T;
  T operator()(T a) const { return a; }
};
struct Flushed {
  using Stored = float;
  float operator()(float a) const {
    const auto bits = __builtin_bit_cast(std::uint32_t, a);
    return (bits & 0x7f800000u) == 0 ? 0.0f : a;
  }
};

/// The lanes in which the comparison holds, whether they execute or not.
template <class Load, Compare C>
[[gnu::always_inline]] inline std::uint32_t compare_lanes(Warp& warp, const Operation* op) {
  using T = typename Load::Stored;
  const Slot<T>* a = slots<T>(warp, op->a);
  const Slot<T>* b = slots<T>(warp, op->b);
  alignas(64) std::uint32_t words[kWarpSize];
  WB_LANES words[lane] =
      0u - static_cast<std::uint32_t>(Comparison<C>{}(Load{}(from_slot<T>(a[lane])), Load{}(from_slot<T>(b[lane]))));
  return movemask(words);
}

using Comparer = std::uint32_t (*)(Warp&, const Operation*);
template <class Load, Compare C>
[[gnu::noinline]] std::uint32_t compare_call(Warp& warp, const Operation* op) {
  return compare_lanes<Load, C>(warp, op);
}

inline std::uint32_t combine(BoolOp op, std::uint32_t a, std::uint32_t b) {
  switch (op) {
    case BoolOp::and_:
      return a & b;
    case BoolOp::or_:
      return a | b;
    case BoolOp::xor_:
      return a ^ b;
    default:
      return a;
  }
}

/// setp p, a, b and setp p|q, a, b: q is the complement of p.
template <class Load, Compare C>
const Operation* setp(Warp& warp, const Operation* op) {
  const std::uint32_t mask = compare_lanes<Load, C>(warp, op);
  set_predicate(warp, op->d, mask);
  set_predicate(warp, op->e, ~mask);
  return op + 1;
}

/// setp.bool p|q, a, b, c: p = (a ? b) bool c, q = !(a ? b) bool c.
template <Comparer F>
const Operation* setp_bool(Warp& warp, const Operation* op) {
  const std::uint32_t mask = F(warp, op), c = predicate_input(warp, op, op->c, 2);
  const BoolOp bool_op = modifiers_of(warp, op).bool_op;
  set_predicate(warp, op->d, combine(bool_op, mask, c));
  set_predicate(warp, op->e, combine(bool_op, ~mask, c));
  return op + 1;
}

/// "True" in the type of set's destination: all ones for integers, 1.0 for floating point.
inline std::uint32_t true_value(Type type) {
  switch (type) {
    case Type::f32:
      return 0x3f800000u;
    case Type::f16:
    case Type::f16x2:
      return 0x3c003c00u;
    case Type::bf16:
    case Type::bf16x2:
      return 0x3f803f80u;
    default:
      return 0xffffffffu;
  }
}

/// set d, a, b: true_value() where the comparison (combined with c) holds, else 0.
template <Comparer F>
const Operation* set_value(Warp& warp, const Operation* op) {
  const Modifiers& m = modifiers_of(warp, op);
  std::uint32_t mask = F(warp, op);
  if (m.bool_op != BoolOp::none) mask = combine(m.bool_op, mask, predicate_input(warp, op, op->c, 2));
  const std::uint32_t yes = true_value(m.types[0]);
  std::uint32_t* d = slots<std::uint32_t>(warp, op->d);
  const std::uint32_t* on = warp.exec_words();
  WB_LANES {
    const std::uint32_t value = ((mask >> lane) & 1u) ? yes : 0u;
    d[lane] = on[lane] ? value : d[lane];
  }
  return op + 1;
}

/// The comparisons of a type: calls f(Case<C>{}) for the one in the instruction; nullptr if the type does not have it.
template <Compare C>
struct Case {
  static constexpr Compare value = C;
};
template <bool Floating, class F>
Handler for_compare(Compare compare, F f) {
  switch (compare) {
    case Compare::eq:
      return f(Case<Compare::eq>{});
    case Compare::ne:
      return f(Case<Compare::ne>{});
    case Compare::lt:
      return f(Case<Compare::lt>{});
    case Compare::le:
      return f(Case<Compare::le>{});
    case Compare::gt:
      return f(Case<Compare::gt>{});
    case Compare::ge:
      return f(Case<Compare::ge>{});
    default:
      break;
  }
  if constexpr (Floating) {
    switch (compare) {
      case Compare::equ:
        return f(Case<Compare::equ>{});
      case Compare::neu:
        return f(Case<Compare::neu>{});
      case Compare::ltu:
        return f(Case<Compare::ltu>{});
      case Compare::leu:
        return f(Case<Compare::leu>{});
      case Compare::gtu:
        return f(Case<Compare::gtu>{});
      case Compare::geu:
        return f(Case<Compare::geu>{});
      case Compare::num:
        return f(Case<Compare::num>{});
      case Compare::nan:
        return f(Case<Compare::nan>{});
      default:
        break;
    }
  } else {
    switch (compare) {  // For unsigned operands; signed ones are compared as unsigned, too.
      case Compare::lo:
        return f(Case<Compare::lt>{});
      case Compare::ls:
        return f(Case<Compare::le>{});
      case Compare::hi:
        return f(Case<Compare::gt>{});
      case Compare::hs:
        return f(Case<Compare::ge>{});
      default:
        break;
    }
  }
  return nullptr;
}

}  // namespace warpbook::simulator::operations::WB_ISA

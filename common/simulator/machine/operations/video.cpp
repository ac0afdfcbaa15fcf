// Handlers of video instructions: arithmetic on bytes, halves and words with saturation, a secondary operation and
// merging.
//
// They work lane by lane in 64-bit integers, which represent every intermediate result exactly. Speed does not matter:
// nvcc does not generate these instructions.
#include <algorithm>

#include "common/simulator/kernel/video_parts.h"
#include "common/simulator/machine/operations/handlers.h"
#include "common/simulator/ptx/operation_table.h"

namespace warpbook::simulator::operations::WB_ISA {
namespace {

using Number = std::int64_t;

bool is_signed(Type type) { return type == Type::s32; }

/// @p bits bits of @p word starting at bit @p low, sign-extended if @p extend_sign.
Number field(std::uint64_t word, unsigned low, unsigned bits, bool extend_sign) {
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1, part = (word >> low) & mask;
  const std::uint64_t sign = std::uint64_t{1} << (bits - 1);
  return static_cast<Number>(extend_sign ? (part ^ sign) - sign : part);
}

/// Width and lowest bit of a scalar part, numbered as in VideoParts.
struct Place {
  unsigned low = 0, bits = 32;
};
Place place_of(unsigned part) {
  if (part == 0) return {};
  return part < 5 ? Place{8 * (part - 1), 8} : Place{16 * (part - 5), 16};
}
Number select(std::uint32_t word, unsigned part, bool extend_sign) {
  const Place place = place_of(part);
  return field(word, place.low, place.bits, extend_sign);
}

Number clamp(Number x, unsigned bits, bool to_signed) {
  const Number top = (Number{1} << (to_signed ? bits - 1 : bits)) - 1, bottom = to_signed ? -top - 1 : 0;
  return std::clamp(x, bottom, top);
}

bool compare(ptx::Compare how, Number a, Number b) {
  switch (how) {
    case ptx::Compare::eq:
      return a == b;
    case ptx::Compare::ne:
      return a != b;
    case ptx::Compare::lt:
      return a < b;
    case ptx::Compare::le:
      return a <= b;
    case ptx::Compare::gt:
      return a > b;
    default:
      return a >= b;
  }
}

/// @param Wraps the result has 32 bits when it is compared @param Shifts it is a shift
template <bool Wraps = false, bool Shifts = false>
struct Kind {
  static constexpr bool kWraps = Wraps, kShifts = Shifts;
};
/// The exact result for the two selected numbers.
struct Add : Kind<true, false> {
  static Number of(const Modifiers&, Number a, Number b) { return a + b; }
};
struct Subtract : Kind<true, false> {
  static Number of(const Modifiers&, Number a, Number b) { return a - b; }
};
struct Distance : Kind<> {
  static Number of(const Modifiers&, Number a, Number b) { return a < b ? b - a : a - b; }
};
struct Smaller : Kind<> {
  static Number of(const Modifiers&, Number a, Number b) { return std::min(a, b); }
};
struct Larger : Kind<> {
  static Number of(const Modifiers&, Number a, Number b) { return std::max(a, b); }
};
/// Rounded away from zero.
struct Average {
  static Number of(const Modifiers&, Number a, Number b) { return (a + b >= 0 ? a + b + 1 : a + b) >> 1; }
};
unsigned distance(const Modifiers& m, Number b) {
  const auto shift = static_cast<std::uint32_t>(b);
  return m.mode == ptx::Mode::clamp ? std::min(shift, 32u) : shift & 31u;
}
struct ShiftLeft : Kind<false, true> {
  static Number of(const Modifiers& m, Number a, Number b) {
    return static_cast<Number>(static_cast<std::uint64_t>(a) << distance(m, b));
  }
};
struct ShiftRight : Kind<false, true> {
  static Number of(const Modifiers& m, Number a, Number b) { return a >> distance(m, b); }
};
struct Comparison : Kind<> {
  static Number of(const Modifiers& m, Number a, Number b) { return compare(m.compare, a, b) ? 1 : 0; }
};

/// d = f(lane) for the executing lanes.
template <class F>
const Operation* each_lane(Warp& warp, const Operation* op, F f) {
  std::uint32_t* d = slots<std::uint32_t>(warp, op->d);
  const std::uint32_t *a = slots<std::uint32_t>(warp, op->a), *b = slots<std::uint32_t>(warp, op->b);
  const std::uint32_t* c = op->c == kNoOperand ? a : slots<std::uint32_t>(warp, op->c);
  for (std::uint32_t rest = warp.exec; rest != 0; rest &= rest - 1) {
    const unsigned lane = static_cast<unsigned>(std::countr_zero(rest));
    d[lane] = f(a[lane], b[lane], c[lane]);
  }
  return op + 1;
}

// Scalar instructions do what the driver's compiler makes of them for compute capability 9.0, with which all 2,264
// forms of video.rows and its like agree (driver 580.159.04, 2026-11-27). It departs from the manual: in merging,
// saturation and the comparison of a secondary .min or .max, and where vmad multiplies.

/// A result of more than 32 bits, saturated: for the whole word, or for a part of it.
template <class F>
Number saturated(Number x, const Place& to, bool to_signed) {
  // Shifts have 34 bits, and saturate to the word even where they write a part.
  if (F::kShifts) return clamp(field(static_cast<std::uint64_t>(x), 0, 34, true), 32, to_signed);
  if (to.bits == 32) return to_signed ? clamp(x, 32, true) : std::max<Number>(x, 0);  // No upper bound.
  // A negative result gives the greatest number, too.
  const Number top = (Number{1} << (to_signed ? to.bits - 1 : to.bits)) - 1;
  return x < 0 ? top : std::min(x, top);
}

/// @p x or @p c, whichever the secondary operation selects: both have 64 bits in the comparison.
template <class F>
std::uint32_t selected(const Modifiers& m, Number x, std::uint32_t c, bool with_sign) {
  const bool is_word = F::kWraps || (F::kShifts && m.sat);
  const Number left = is_word ? field(static_cast<std::uint64_t>(x), 0, 32, true) : x,
               right = field(c, 0, 32, with_sign);
  const bool less = with_sign ? left < right : static_cast<std::uint64_t>(left) < static_cast<std::uint64_t>(right);
  return less == (m.atomic == ptx::AtomicOp::min) ? static_cast<std::uint32_t>(x) : c;
}

/// @param sources index of the types of a and b in the instruction's list of types
template <class F, unsigned Sources>
const Operation* scalar(Warp& warp, const Operation* op) {
  constexpr unsigned kUpperHalf = 6;  // As VideoParts numbers it.
  const Modifiers& m = modifiers_of(warp, op);
  const VideoParts parts = VideoParts::unpack(op->immediate);
  const bool first_signed = is_signed(m.types[0]);
  const Place to = place_of(parts.d);
  return each_lane(warp, op, [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    Number x =
        F::of(m, select(a, parts.a, is_signed(m.types[Sources])), select(b, parts.b, is_signed(m.types[Sources + 1])));
    if (m.sat) x = saturated<F>(x, to, first_signed);
    const auto word = static_cast<std::uint32_t>(x);
    if (parts.d != 0) {
      const std::uint32_t mask = ((1u << to.bits) - 1) << to.low;
      return (c & ~mask) | ((parts.d == kUpperHalf ? word : word << to.low) & mask);  // The upper half of the result.
    }
    switch (m.atomic) {
      case ptx::AtomicOp::add:
        return word + c;
      case ptx::AtomicOp::min:
      case ptx::AtomicOp::max:
        return selected<F>(m, x, c, first_signed);
      default:
        return word;
    }
  });
}

/// Words without a sign are multiplied and added as if they had one; without any sign the sum is shifted as if it had
/// none.
const Operation* multiply_add(Warp& warp, const Operation* op) {
  const Modifiers& m = modifiers_of(warp, op);
  const VideoParts parts = VideoParts::unpack(op->immediate);
  const bool minus_product = ((parts.negated ^ parts.negated >> 1) & 1) != 0, minus_c = (parts.negated & 4) != 0;
  const bool a_signed = is_signed(m.types[1]), b_signed = is_signed(m.types[2]);
  const bool sign = a_signed || b_signed || minus_product || minus_c;
  return each_lane(warp, op, [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    const Number left = static_cast<std::int32_t>(select(a, parts.a, a_signed));
    const Number right = static_cast<std::int32_t>(select(b, parts.b, b_signed));
    const Number added = static_cast<std::int32_t>(c);
    Number x = (minus_product ? -left * right : left * right) + (minus_c ? -added : added) + (m.plus_one ? 1 : 0);
    x = sign ? x >> m.scale : static_cast<Number>(static_cast<std::uint64_t>(x) >> m.scale);
    return static_cast<std::uint32_t>(m.sat ? clamp(x, 32, sign) : x);
  });
}

/// @p Width elements per register; the types of the sources start at index @p Sources.
template <class F, unsigned Width, unsigned Sources>
const Operation* simd(Warp& warp, const Operation* op) {
  constexpr unsigned kBits = 32 / Width;
  const Modifiers& m = modifiers_of(warp, op);
  const VideoParts parts = VideoParts::unpack(op->immediate);
  const bool to_signed = Sources == 1 && is_signed(m.types[0]);
  return each_lane(warp, op, [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    const std::uint64_t both = a | std::uint64_t{b} << 32;
    const bool accumulates = m.atomic == ptx::AtomicOp::add;
    std::uint32_t d = c;
    for (unsigned i = 0; i < Width; ++i) {
      if ((parts.d >> i & 1) == 0) continue;
      const auto source = [&](unsigned selector, bool extend) {
        return field(both, (selector >> (4 * i) & 15) * kBits, kBits, extend);
      };
      Number x =
          F::of(m, source(parts.a, is_signed(m.types[Sources])), source(parts.b, is_signed(m.types[Sources + 1])));
      if (m.sat) x = clamp(x, kBits, to_signed);
      const std::uint32_t mask = ((1u << kBits) - 1) << (kBits * i);
      if (accumulates)
        d += static_cast<std::uint32_t>(x);
      else
        d = (d & ~mask) | (static_cast<std::uint32_t>(x) << (kBits * i) & mask);
    }
    return d;
  });
}

}  // namespace

Handler resolve_vadd(const Modifiers&) { return scalar<Add, 1>; }
Handler resolve_vsub(const Modifiers&) { return scalar<Subtract, 1>; }
Handler resolve_vabsdiff(const Modifiers&) { return scalar<Distance, 1>; }
Handler resolve_vmin(const Modifiers&) { return scalar<Smaller, 1>; }
Handler resolve_vmax(const Modifiers&) { return scalar<Larger, 1>; }
Handler resolve_vshl(const Modifiers&) { return scalar<ShiftLeft, 1>; }
Handler resolve_vshr(const Modifiers&) { return scalar<ShiftRight, 1>; }
Handler resolve_vset(const Modifiers&) { return scalar<Comparison, 0>; }
Handler resolve_vmad(const Modifiers&) { return multiply_add; }
Handler resolve_vadd2(const Modifiers&) { return simd<Add, 2, 1>; }
Handler resolve_vsub2(const Modifiers&) { return simd<Subtract, 2, 1>; }
Handler resolve_vavrg2(const Modifiers&) { return simd<Average, 2, 1>; }
Handler resolve_vabsdiff2(const Modifiers&) { return simd<Distance, 2, 1>; }
Handler resolve_vmin2(const Modifiers&) { return simd<Smaller, 2, 1>; }
Handler resolve_vmax2(const Modifiers&) { return simd<Larger, 2, 1>; }
Handler resolve_vset2(const Modifiers&) { return simd<Comparison, 2, 0>; }
Handler resolve_vadd4(const Modifiers&) { return simd<Add, 4, 1>; }
Handler resolve_vsub4(const Modifiers&) { return simd<Subtract, 4, 1>; }
Handler resolve_vavrg4(const Modifiers&) { return simd<Average, 4, 1>; }
Handler resolve_vabsdiff4(const Modifiers&) { return simd<Distance, 4, 1>; }
Handler resolve_vmin4(const Modifiers&) { return simd<Smaller, 4, 1>; }
Handler resolve_vmax4(const Modifiers&) { return simd<Larger, 4, 1>; }
Handler resolve_vset4(const Modifiers&) { return simd<Comparison, 4, 0>; }

}  // namespace warpbook::simulator::operations::WB_ISA

// Comparisons of integers and of 32- and 64-bit floating point: set, setp, testp.
#include "common/simulator/machine/operations/compare.h"

namespace warpbook::simulator::operations::WB_ISA {
namespace {

bool unsigned_compare(Compare c) {
  return c == Compare::lo || c == Compare::ls || c == Compare::hi || c == Compare::hs;
}

/// Calls f.template operator()<Load, C>() for the integer type and the comparison.
template <class F>
Handler for_integer_compare(Type type, Compare compare, F f) {
  if (unsigned_compare(compare)) {
    type = ptx::size_of(type) == 2 ? Type::u16 : ptx::size_of(type) == 4 ? Type::u32 : Type::u64;
  }
  return for_integer(type, [&]<class T>(Tag<T>) {
    return for_compare<false>(compare, [&]<Compare C>(Case<C>) { return f.template operator()<Plain<T>, C>(); });
  });
}

template <class F>
Handler for_floating_compare(Type type, bool ftz, Compare compare, F f) {
  return for_compare<true>(compare, [&]<Compare C>(Case<C>) -> Handler {
    if (type == Type::f64) return f.template operator()<Plain<double>, C>();
    if (type != Type::f32) return nullptr;
    return ftz ? f.template operator()<Flushed, C>() : f.template operator()<Plain<float>, C>();
  });
}

struct MakeSetp {
  template <class Load, Compare C>
  Handler operator()() const {
    return setp<Load, C>;
  }
};
struct MakeSetpBool {
  template <class Load, Compare C>
  Handler operator()() const {
    return setp_bool<compare_call<Load, C>>;
  }
};
struct MakeSet {
  template <class Load, Compare C>
  Handler operator()() const {
    return set_value<compare_call<Load, C>>;
  }
};

template <class T>
struct Parts;
template <>
struct Parts<float> {
  using Bits = std::uint32_t;
  static constexpr Bits exponent = 0x7f800000u, mantissa = 0x007fffffu;
};
template <>
struct Parts<double> {
  using Bits = std::uint64_t;
  static constexpr Bits exponent = 0x7ff0000000000000u, mantissa = 0x000fffffffffffffu;
};

template <class T, ptx::Mode M>
const Operation* test_property(Warp& warp, const Operation* op) {
  using P = Parts<T>;
  using ptx::Mode;
  const typename P::Bits* a = slots<T>(warp, op->a);
  alignas(64) std::uint32_t words[kWarpSize];
  WB_LANES {
    const typename P::Bits e = a[lane] & P::exponent, m = a[lane] & P::mantissa;
    bool yes;
    if constexpr (M == Mode::finite)
      yes = e != P::exponent;
    else if constexpr (M == Mode::infinite)
      yes = (e == P::exponent) & (m == 0);
    else if constexpr (M == Mode::number)
      yes = (e != P::exponent) | (m == 0);
    else if constexpr (M == Mode::notanumber)
      yes = (e == P::exponent) & (m != 0);
    else if constexpr (M == Mode::normal)
      yes = ((e != 0) & (e != P::exponent)) | ((e | m) == 0);  // Zeros count as normal.
    else
      yes = (e == 0) & (m != 0);
    words[lane] = 0u - static_cast<std::uint32_t>(yes);
  }
  set_predicate(warp, op->d, movemask(words));
  return op + 1;
}

template <class T>
Handler test_handler(ptx::Mode mode) {
  using ptx::Mode;
  switch (mode) {
    case Mode::finite:
      return test_property<T, Mode::finite>;
    case Mode::infinite:
      return test_property<T, Mode::infinite>;
    case Mode::number:
      return test_property<T, Mode::number>;
    case Mode::notanumber:
      return test_property<T, Mode::notanumber>;
    case Mode::normal:
      return test_property<T, Mode::normal>;
    case Mode::subnormal:
      return test_property<T, Mode::subnormal>;
    default:
      return nullptr;
  }
}

}  // namespace

Handler resolve_setp_integer(const Modifiers& m) { return for_integer_compare(m.types[0], m.compare, MakeSetp{}); }
Handler resolve_setp_integer_bool(const Modifiers& m) {
  return for_integer_compare(m.types[0], m.compare, MakeSetpBool{});
}
Handler resolve_setp_floating(const Modifiers& m) {
  return for_floating_compare(m.types[0], m.ftz, m.compare, MakeSetp{});
}
Handler resolve_setp_floating_bool(const Modifiers& m) {
  return for_floating_compare(m.types[0], m.ftz, m.compare, MakeSetpBool{});
}
Handler resolve_set_integer(const Modifiers& m) { return for_integer_compare(m.types[1], m.compare, MakeSet{}); }
Handler resolve_set_integer_bool(const Modifiers& m) { return for_integer_compare(m.types[1], m.compare, MakeSet{}); }
Handler resolve_set_floating(const Modifiers& m) {
  return for_floating_compare(m.types[1], m.ftz, m.compare, MakeSet{});
}
Handler resolve_set_floating_bool(const Modifiers& m) {
  return for_floating_compare(m.types[1], m.ftz, m.compare, MakeSet{});
}
Handler resolve_testp(const Modifiers& m) {
  return m.types[0] == Type::f64 ? test_handler<double>(m.mode) : test_handler<float>(m.mode);
}

}  // namespace warpbook::simulator::operations::WB_ISA

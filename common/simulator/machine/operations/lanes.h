// How handlers read and write lanes: one loop that the compiler vectorises, masked only if it must be.
//
// Included by files that are compiled once for each instruction set (WB_ISA names the namespace), so nothing here may
// leak into another translation unit: everything is in namespace operations::WB_ISA.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "common/simulator/machine/warp.h"

#ifndef WB_ISA
#define WB_ISA baseline
#endif

#define WB_LANES _Pragma("GCC ivdep") for (unsigned lane = 0; lane < kWarpSize; ++lane)

namespace warpbook::simulator::operations::WB_ISA {

/// The slot of a register that holds a T.
template <class T>
using Slot = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

template <class T>
inline Slot<T>* slots(Warp& warp, std::uint32_t offset) {
  return static_cast<Slot<T>*>(__builtin_assume_aligned(warp.registers + offset, 64));
}

template <std::size_t Bytes>
struct Bits;
template <>
struct Bits<1> {
  using type = std::uint8_t;
};
template <>
struct Bits<2> {
  using type = std::uint16_t;
};
template <>
struct Bits<4> {
  using type = std::uint32_t;
};
template <>
struct Bits<8> {
  using type = std::uint64_t;
};

/// A slot's bits as a T (the low bits if T is narrower than the slot).
template <class T>
inline T from_slot(Slot<T> slot) {
  return __builtin_bit_cast(T, static_cast<typename Bits<sizeof(T)>::type>(slot));
}
template <class T>
inline Slot<T> to_slot(T value) {
  return static_cast<Slot<T>>(__builtin_bit_cast(typename Bits<sizeof(T)>::type, value));
}

inline std::uint32_t& predicate(Warp& warp, std::uint32_t offset) {
  return *reinterpret_cast<std::uint32_t*>(warp.registers + offset);
}

/// d = f(a): a plain loop for a full warp, a blending one otherwise.
template <class D, class A, class F>
inline void map1(Warp& warp, std::uint32_t d_offset, std::uint32_t a_offset, F f) {
  Slot<D>* d = slots<D>(warp, d_offset);
  const Slot<A>* a = slots<A>(warp, a_offset);
  if (warp.exec == kFullMask) {
    WB_LANES d[lane] = to_slot<D>(f(from_slot<A>(a[lane])));
  } else {
    const std::uint32_t* on = warp.exec_words();
    WB_LANES {
      const Slot<D> value = to_slot<D>(f(from_slot<A>(a[lane])));
      d[lane] = on[lane] ? value : d[lane];
    }
  }
}

template <class D, class A, class B, class F>
inline void map2(Warp& warp, std::uint32_t d_offset, std::uint32_t a_offset, std::uint32_t b_offset, F f) {
  Slot<D>* d = slots<D>(warp, d_offset);
  const Slot<A>* a = slots<A>(warp, a_offset);
  const Slot<B>* b = slots<B>(warp, b_offset);
  if (warp.exec == kFullMask) {
    WB_LANES d[lane] = to_slot<D>(f(from_slot<A>(a[lane]), from_slot<B>(b[lane])));
  } else {
    const std::uint32_t* on = warp.exec_words();
    WB_LANES {
      const Slot<D> value = to_slot<D>(f(from_slot<A>(a[lane]), from_slot<B>(b[lane])));
      d[lane] = on[lane] ? value : d[lane];
    }
  }
}

template <class D, class A, class B, class C, class F>
inline void map3(Warp& warp, std::uint32_t d_offset, std::uint32_t a_offset, std::uint32_t b_offset,
                 std::uint32_t c_offset, F f) {
  Slot<D>* d = slots<D>(warp, d_offset);
  const Slot<A>* a = slots<A>(warp, a_offset);
  const Slot<B>* b = slots<B>(warp, b_offset);
  const Slot<C>* c = slots<C>(warp, c_offset);
  if (warp.exec == kFullMask) {
    WB_LANES d[lane] = to_slot<D>(f(from_slot<A>(a[lane]), from_slot<B>(b[lane]), from_slot<C>(c[lane])));
  } else {
    const std::uint32_t* on = warp.exec_words();
    WB_LANES {
      const Slot<D> value = to_slot<D>(f(from_slot<A>(a[lane]), from_slot<B>(b[lane]), from_slot<C>(c[lane])));
      d[lane] = on[lane] ? value : d[lane];
    }
  }
}

}  // namespace warpbook::simulator::operations::WB_ISA

// Atomics and reductions: the functions of one lane, and the order of lanes.
//
// Lanes execute in lane order, the documented choice where hardware leaves the order open. On hardware, blocks execute
// in any order. Here only integer reductions do, whose outcome is the same in every order: they may run on several host
// threads at once, with the host's atomics.
//
// Compiled once for each instruction set, like lanes.h.
#pragma once

#include "common/simulator/machine/grid_workspace.h"
#include "common/simulator/machine/operations/floating.h"
#include "common/simulator/machine/operations/memory_forms.h"

namespace warpbook::simulator::operations::WB_ISA {

using ptx::AtomicOp;

// value = f(old, b, c). If kKind is not none, the order of several of them does not matter.
struct AtomicAnd {
  static constexpr ReductionKind kKind = ReductionKind::bits;
  template <class T>
  T operator()(T old, T b, T) const {
    return old & b;
  }
};
struct AtomicOr {
  static constexpr ReductionKind kKind = ReductionKind::bits;
  template <class T>
  T operator()(T old, T b, T) const {
    return old | b;
  }
};
struct AtomicXor {
  static constexpr ReductionKind kKind = ReductionKind::bits;
  template <class T>
  T operator()(T old, T b, T) const {
    return old ^ b;
  }
};
struct AtomicAdd {
  static constexpr ReductionKind kKind = ReductionKind::add;
  template <class T>
  T operator()(T old, T b, T) const {
    return static_cast<T>(old + b);
  }
};
struct AtomicMin {
  static constexpr ReductionKind kKind = ReductionKind::min_max;
  template <class T>
  T operator()(T old, T b, T) const {
    return b < old ? b : old;
  }
};
struct AtomicMax {
  static constexpr ReductionKind kKind = ReductionKind::min_max;
  template <class T>
  T operator()(T old, T b, T) const {
    return b > old ? b : old;
  }
};
struct AtomicExchange {
  static constexpr ReductionKind kKind = ReductionKind::none;
  template <class T>
  T operator()(T, T b, T) const {
    return b;
  }
};
struct AtomicCompareAndSwap {
  static constexpr ReductionKind kKind = ReductionKind::none;
  template <class T>
  T operator()(T old, T b, T c) const {
    return old == b ? c : old;
  }
};
/// inc: counts up to b and then wraps to 0.
struct AtomicIncrement {
  static constexpr ReductionKind kKind = ReductionKind::none;
  template <class T>
  T operator()(T old, T b, T) const {
    return old >= b ? T{0} : static_cast<T>(old + 1);
  }
};
/// dec: counts down to 0 and then wraps to b.
struct AtomicDecrement {
  static constexpr ReductionKind kKind = ReductionKind::none;
  template <class T>
  T operator()(T old, T b, T) const {
    return old == 0 || old > b ? b : static_cast<T>(old - 1);
  }
};

inline float flushed(float x) { return x > -0x1p-126f && x < 0x1p-126f ? __builtin_copysignf(0.0f, x) : x; }

/// add.f32: a NaN result is canonical. In global memory subnormals are flushed to zero, in shared memory they are not.
template <bool Flush>
struct AtomicAddFloat {
  static constexpr ReductionKind kKind = ReductionKind::none;
  std::uint32_t operator()(std::uint32_t old, std::uint32_t b, std::uint32_t) const {
    float x = __builtin_bit_cast(float, old), y = __builtin_bit_cast(float, b);
    if constexpr (Flush) x = flushed(x), y = flushed(y);
    float sum = x + y;
    if constexpr (Flush) sum = flushed(sum);
    return sum != sum ? 0x7fffffffu : __builtin_bit_cast(std::uint32_t, sum);
  }
};

/// add.f64: in global memory a NaN keeps its bits, and the added one wins; in shared memory, where the SM adds, it
/// becomes quiet, and the one in memory wins.
template <bool OnGlobal>
struct AtomicAddDouble {
  static constexpr ReductionKind kKind = ReductionKind::none;
  static bool is_nan(std::uint64_t bits) { return (bits & 0x7fffffffffffffffu) > 0x7ff0000000000000u; }
  std::uint64_t operator()(std::uint64_t old, std::uint64_t b, std::uint64_t) const {
    if (OnGlobal && is_nan(b)) return b;
    if (is_nan(old)) return OnGlobal ? old : old | 0x8000000000000u;
    if (is_nan(b)) return b | 0x8000000000000u;
    const double sum = __builtin_bit_cast(double, old) + __builtin_bit_cast(double, b);
    return sum != sum ? 0xfff8000000000000u : __builtin_bit_cast(std::uint64_t, sum);
  }
};

/// Sums of halves are exact in float, so rounding once to the half type rounds the true sum.
struct HalfSum {
  static std::uint16_t add(std::uint16_t a, std::uint16_t b) {
    return static_cast<std::uint16_t>(F16::narrow(F16::widen(a) + F16::widen(b)));
  }
};
struct BrainSum {
  static std::uint16_t add(std::uint16_t a, std::uint16_t b) {
    const float sum =
        __builtin_bit_cast(float, std::uint32_t{a} << 16) + __builtin_bit_cast(float, std::uint32_t{b} << 16);
    if (sum != sum) return 0x7fff;
    const std::uint32_t bits = __builtin_bit_cast(std::uint32_t, sum);
    return static_cast<std::uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1)) >> 16);
  }
};
template <class Sum>
struct AtomicAddHalf {
  static constexpr ReductionKind kKind = ReductionKind::none;
  std::uint16_t operator()(std::uint16_t old, std::uint16_t b, std::uint16_t) const { return Sum::add(old, b); }
};
template <class Sum>
struct AtomicAddHalves {
  static constexpr ReductionKind kKind = ReductionKind::none;
  std::uint32_t operator()(std::uint32_t old, std::uint32_t b, std::uint32_t) const {
    const std::uint32_t low = Sum::add(static_cast<std::uint16_t>(old), static_cast<std::uint16_t>(b));
    const std::uint32_t high = Sum::add(static_cast<std::uint16_t>(old >> 16), static_cast<std::uint16_t>(b >> 16));
    return low | high << 16;
  }
};

/// How many of the first @p n lanes share the most frequent address.
template <class Address>
inline unsigned most_on_one_address(const Address* address, unsigned n) {
  alignas(64)
      std::uint32_t padded[2 * kWarpSize];  // The low bits distinguish addresses well enough to skip most lanes.
  for (unsigned k = 0; k < kWarpSize; ++k) padded[k] = 0;
  for (unsigned k = 0; k < kWarpSize; ++k)
    padded[kWarpSize + k] = k < n ? static_cast<std::uint32_t>(address[k] - address[0]) * 2 + 1 : 2 * k;
  alignas(64) std::uint32_t before[kWarpSize] = {};
  for (unsigned distance = 1; distance < kWarpSize; ++distance)
    for (unsigned k = 0; k < kWarpSize; ++k)
      before[k] += padded[kWarpSize + k] == padded[kWarpSize + k - distance] ? 1 : 0;
  unsigned most = 0;
  for (unsigned k = 0; k < n; ++k) most = before[k] > most ? before[k] : most;
  return most + 1;
}

/// Passes through an L2 slice: each sector is passed as often as the most frequent address in it occurs among the first
/// @p n lanes (for all types and operations; 62 kernels on an H200, 2026-11-23).
template <class Address>
WB_APART unsigned passes_of_sectors(const Address* address, unsigned n) {
  std::uint64_t sector[kWarpSize];
  unsigned most[kWarpSize], sectors = 0, passes = 0;
  for (unsigned k = 0; k < n; ++k) {
    unsigned same = 1, at = 0;
    for (unsigned j = 0; j < k; ++j) same += address[j] == address[k] ? 1 : 0;
    while (at < sectors && sector[at] != address[k] / 32) ++at;
    if (at == sectors) {
      sector[sectors] = address[k] / 32;
      most[sectors++] = 0;
    }
    most[at] = same > most[at] ? same : most[at];
  }
  for (unsigned k = 0; k < sectors; ++k) passes += most[k];
  return passes;
}

__extension__ using Bits128 = unsigned __int128;

/// A value of one lane, of which @p at names the registers: two for 128 bits, the low half first.
template <class T>
WB_HOT T lane_value(Warp& warp, const std::uint32_t* at, unsigned lane) {
  if constexpr (sizeof(T) == 16)
    return T{slots<std::uint64_t>(warp, at[1])[lane]} << 64 | slots<std::uint64_t>(warp, at[0])[lane];
  else
    return static_cast<T>(slots<T>(warp, at[0])[lane]);
}
template <class T>
WB_HOT void set_lane_value(Warp& warp, const std::uint32_t* at, unsigned lane, T value) {
  if constexpr (sizeof(T) == 16) {
    slots<std::uint64_t>(warp, at[0])[lane] = static_cast<std::uint64_t>(value);
    slots<std::uint64_t>(warp, at[1])[lane] = static_cast<std::uint64_t>(value >> 64);
  } else {
    slots<T>(warp, at[0])[lane] = extended(value);
  }
}

/// One element at @p at; @p threads: other host threads may access it at the same time.
template <class T, class F>
WB_HOT T act(std::byte* at, T b, T c, bool threads) {
  T old;
  if constexpr (F::kKind != ReductionKind::none) {
    if (threads) {
      T* shared = reinterpret_cast<T*>(at);
      old = __atomic_load_n(shared, __ATOMIC_RELAXED);
      while (!__atomic_compare_exchange_n(shared, &old, F{}(old, b, c), true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
      }
      return old;
    }
  }
  std::memcpy(&old, at, sizeof old);
  const T value = F{}(old, b, c);
  std::memcpy(at, &value, sizeof value);
  return old;
}

/// All executing lanes in order; base + address[k] is the element of the k-th one.
/// @returns bit k: the compare-and-swap of the k-th one has changed memory
template <class T, unsigned N, class F, class Address>
inline std::uint32_t act_lanes(Warp& warp, const Operation* op, std::byte* base, const Address* address, bool threads) {
  constexpr unsigned kRegisters = sizeof(T) == 16 ? 2 : N;
  const std::uint32_t* b = elements<kRegisters>(warp, op->b);
  const bool answers = op->d != kNoOperand;
  const std::uint32_t* d = answers ? elements<kRegisters>(warp, op->d) : nullptr;
  const std::uint32_t* c =
      op->c == kNoOperand || op->atomic != AtomicOp::cas ? nullptr : elements<kRegisters>(warp, op->c);
  unsigned k = 0;
  std::uint32_t swapped = 0;
  for (std::uint32_t left = warp.exec; left != 0; left &= left - 1, ++k) {
    const unsigned lane = static_cast<unsigned>(std::countr_zero(left));
    for (unsigned j = 0; j < N; ++j) {
      const T first = lane_value<T>(warp, b + j, lane), second = c == nullptr ? T{} : lane_value<T>(warp, c, lane);
      const T old = act<T, F>(base + address[k] + j * sizeof(T), first, second, threads);
      if constexpr (std::is_same_v<F, AtomicCompareAndSwap>)
        swapped |= (old == first && first != second ? 1u : 0u) << k;
      if (answers) set_lane_value<T>(warp, d + j, lane, old);
    }
  }
  return swapped;
}

/// Reductions of all executing lanes to one integer: combined first, as the hardware does, then applied once.
template <class T, class F>
inline void act_on_one(Warp& warp, const Operation* op, std::byte* at, bool threads) {
  const Slot<T>* b = slots<T>(warp, op->b);
  std::uint32_t left = warp.exec;
  T all = static_cast<T>(b[std::countr_zero(left)]);
  for (left &= left - 1; left != 0; left &= left - 1) all = F{}(all, static_cast<T>(b[std::countr_zero(left)]), T{});
  act<T, F>(at, all, T{}, threads);
}

template <class T, unsigned N, class F>
WB_APART const Operation* act_global(Warp& warp, const Operation* op, const std::uint64_t* address,
                                     std::uint64_t displacement, bool /*cached*/) {
  constexpr unsigned Bytes = sizeof(T) * N;
  GlobalLanes lanes;
  if (!resolve_lanes<Bytes>(warp, op, address, displacement, true, lanes)) return nullptr;
  Worker& worker = *warp.worker;
  const bool threads = worker.undo != nullptr && worker.undo->has_several_writers();
  bool done = false;
  if constexpr (F::kKind != ReductionKind::none) {
    if (op->d == kNoOperand && lanes.low == lanes.high) {
      act_on_one<T, F>(warp, op, reinterpret_cast<std::byte*>(lanes.host[0]), threads);
      done = true;
    }
  }
  if (!done) {
    std::uint32_t swapped = act_lanes<T, N, F>(warp, op, nullptr, lanes.host, threads);
    for (; swapped != 0; swapped &= swapped - 1)
      worker.footprint.note_swap(lanes.shadow[std::countr_zero(swapped)] / sizeof(T));
  }
  if (lanes.host[0] == worker.grid_barrier.word) [[unlikely]]
    at_grid_barrier(worker, warp.block->linear);

  MemoryCounters& counters = worker.counters.memory[op->memory];
  Coalescing c;
  coalesce<Bytes>(lanes.shadow, lanes.low, lanes.high, c);
  count_sectors<AccessKind::atomic>(warp, counters, c, false);
  const auto mark = [&](std::uint64_t first, std::uint64_t bits) {
    if (op->d == kNoOperand && F::kKind != ReductionKind::none) {
      worker.footprint.mark_reduced(first, bits, F::kKind);
    } else {
      worker.footprint.mark_read(first, bits);
      worker.footprint.mark_written(first, bits);
    }
  };
  if (c.bits != 0) {
    mark(c.base, c.bits);
  } else {
    for (unsigned k = 0; k < c.sectors; ++k) mark(c.list[k], 1);
  }
  counters.bytes += lanes.n * Bytes;
  counters.serialised += c.distinct == lanes.n ? 1
                         : c.distinct == 1     ? lanes.n
                                               : most_on_one_address(lanes.shadow, lanes.n);
  if (c.distinct != lanes.n) {  // Lanes with the same address are serialised, whatever the pattern.
    const unsigned passes = c.distinct == 1 ? lanes.n * c.sectors : passes_of_sectors(lanes.shadow, lanes.n);
    counters.sectors += passes - c.sectors;
    counters.sectors_ideal += passes - c.sectors;
  }
  return op + 1;
}

/// How shared memory performs an atomic (measured on an H200, 2026-11-21): 32-bit integers in one pass,
/// compare-and-swap in two, all others by a compare-and-swap loop in which one of the lanes with the same address
/// succeeds each time.
enum class SharedForm : std::uint8_t { native, swap, loop };

template <class T, class F>
constexpr SharedForm shared_form() {
  if (std::is_same_v<F, AtomicCompareAndSwap>) return SharedForm::swap;
  if (std::is_same_v<F, AtomicExchange>) return SharedForm::native;
  const bool integer =
      F::kKind != ReductionKind::none || std::is_same_v<F, AtomicIncrement> || std::is_same_v<F, AtomicDecrement>;
  return integer && sizeof(T) == 4 ? SharedForm::native : SharedForm::loop;
}

/// Lanes on one bank are serialised, whether they access the same word or not. @p combines: if all lanes access one
/// word, the compiler reduces their values to one lane first (integer sums, minima, maxima and bitwise operations).
template <unsigned Bytes>
inline void count_shared_atomics(MemoryCounters& counters, const NarrowLanes& lanes, SharedForm form, bool combines) {
  constexpr unsigned cell = Bytes < 4 ? 4 : Bytes;
  unsigned in_cell[32] = {}, worst = 0, same = 0;
  for (unsigned k = 0; k < lanes.n; ++k) {
    const unsigned count = ++in_cell[lanes.compacted[k] / cell % (128 / cell)];
    worst = count > worst ? count : worst;
    same += lanes.compacted[k] == lanes.compacted[0] ? 1 : 0;
  }
  const unsigned most = same == lanes.n ? lanes.n : most_on_one_address(lanes.compacted, lanes.n);
  const unsigned groups = (lanes.n + group_lanes(Bytes) - 1) / group_lanes(Bytes);
  const unsigned passes = form == SharedForm::native ? 1 : 2;
  unsigned wavefronts = passes * worst;
  if (form == SharedForm::loop)
    wavefronts = (most + 1) * worst;  // Two passes each time, with one lane fewer each time.
  else if (combines && same == lanes.n)
    wavefronts = passes;
  count_banks_of(counters, lanes.n * Bytes, {wavefronts, passes * groups});
  counters.serialised += most;
}

template <class T, unsigned N, class F>
WB_APART const Operation* act_shared(Warp& warp, const Operation* op, const std::uint32_t* offset,
                                     std::uint32_t displacement) {
  constexpr unsigned Bytes = sizeof(T) * N;
  NarrowLanes lanes;
  resolve_narrow<Bytes>(warp, offset, displacement, warp.shared_bytes, lanes);
  if (!lanes.good) [[unlikely]] {
    if (is_in_cluster(warp, offset, displacement))
      return in_each_block(warp, op, offset, displacement, act_shared<T, N, F>);
    return fail_outside(warp, op, Space::shared, offset, displacement, Bytes, warp.shared_bytes, true);
  }
  act_lanes<T, N, F>(warp, op, warp.shared, lanes.compacted, false);
  count_shared_atomics<Bytes>(warp.worker->counters.memory[op->memory], lanes, shared_form<T, F>(),
                              F::kKind != ReductionKind::none);
  if constexpr (shared_form<T, F>() == SharedForm::loop) warp.block->shared_swaps.note(lanes.compacted, lanes.n);
  return op + 1;
}

/// Atomics work on global and shared memory only.
WB_COLD inline const Operation* refuse_atomic(Warp& warp, const Operation* op, Space space, std::uint64_t window,
                                              const std::uint32_t* offset, unsigned bytes) {
  const unsigned lane = static_cast<unsigned>(std::countr_zero(warp.exec));
  return raise(warp, op, FaultKind::wrong_space, lane, window + offset[lane], bytes, true,
               describe_wrong_space(space, window + offset[lane], bytes));
}
template <unsigned Bytes>
const Operation* refuse_local(Warp& warp, const Operation* op, const std::uint32_t* offset) {
  return refuse_atomic(warp, op, Space::local, kLocalWindow, offset, Bytes);
}
template <unsigned Bytes>
const Operation* refuse_param(Warp& warp, const Operation* op, const std::uint32_t* offset) {
  return refuse_atomic(warp, op, Space::param, kParamWindow, offset, Bytes);
}

/// The handler of one operation on one type, for the space that the modifiers name. @p G is for global memory, @p S for
/// shared memory: they treat subnormals differently.
template <class T, unsigned N, class G, class S>
struct AtomicHandlers {
  static const Operation* on_global(Warp& warp, const Operation* op) {
    alignas(64) std::uint64_t widened[kWarpSize];
    return act_global<T, N, G>(warp, op, wide_addresses(warp, op, widened), static_cast<std::uint64_t>(op->immediate),
                               false);
  }
  static const Operation* on_shared(Warp& warp, const Operation* op) {
    alignas(64) std::uint32_t narrowed[kWarpSize];
    return act_shared<T, N, S>(warp, op, narrow_addresses(warp, op, narrowed),
                               static_cast<std::uint32_t>(op->immediate));
  }
  static const Operation* in_shared(Warp& warp, const Operation* op, const std::uint32_t* offset) {
    return act_shared<T, N, S>(warp, op, offset, 0);
  }
  static const Operation* on_generic(Warp& warp, const Operation* op) {
    static constexpr SpaceParts kParts{act_global<T, N, G>, in_shared, refuse_local<sizeof(T) * N>,
                                       refuse_param<sizeof(T) * N>};
    return by_space(warp, op, kParts);
  }

  static Handler choose(Space space) {
    switch (space) {
      case Space::global:
        return on_global;
      case Space::shared:
        return on_shared;
      case Space::generic:
        return on_generic;
      default:
        return nullptr;
    }
  }
};

template <class T, unsigned N, class G, class S = G>
Handler atomic_handler(const Modifiers& modifiers) {
  return AtomicHandlers<T, N, G, S>::choose(modifiers.space);
}

Handler integer_atomic_handler(const Modifiers& modifiers);
Handler floating_atomic_handler(const Modifiers& modifiers);

}  // namespace warpbook::simulator::operations::WB_ISA

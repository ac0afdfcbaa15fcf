// Handlers of warp-level functions: shuffles, votes, matches, warp reductions.
//
// A *.sync instruction waits until every lane that it names (and that has not exited) has arrived. Lanes of one
// instruction may name different groups, as tiles of a warp do.
#include <bit>

#include "common/simulator/machine/control.h"
#include "common/simulator/machine/operations/handlers.h"
#include "common/simulator/machine/worker.h"

namespace warpbook::simulator::operations::WB_ISA {
namespace {

/// True if some lanes named by the masks in slot @p masks have not arrived; @p lanes receives all named lanes.
bool must_wait(Warp& warp, std::uint32_t masks, std::uint32_t& lanes) {
  if (warp.active == warp.live || state_of(warp).synchronised) return false;
  const std::uint32_t* mask = slots<std::uint32_t>(warp, masks);
  lanes = 0;
  for (std::uint32_t rest = warp.exec; rest != 0; rest &= rest - 1) lanes |= mask[std::countr_zero(rest)];
  return (lanes & warp.live & ~warp.active) != 0;
}

const Operation* wait_for(Warp& warp, const Operation* op, std::uint32_t masks, std::uint32_t lanes) {
  Waiting reason;
  reason.path.next = op;
  reason.lanes = lanes;
  reason.masks = slots<std::uint32_t>(warp, masks);
  return state_of(warp).wait(reason);
}

/// Calls f(lanes) for the executing lanes of each group that names the same mask.
template <class F>
void for_each_group(Warp& warp, std::uint32_t masks, F f) {
  const std::uint32_t* mask = slots<std::uint32_t>(warp, masks);
  for (std::uint32_t rest = warp.exec; rest != 0;) {
    const std::uint32_t named = mask[std::countr_zero(rest)];
    std::uint32_t group = 0;
    for (std::uint32_t lanes = rest; lanes != 0; lanes &= lanes - 1) {
      const unsigned lane = static_cast<unsigned>(std::countr_zero(lanes));
      if (mask[lane] == named) group |= 1u << lane;
    }
    rest &= ~group;
    f(group & named ? group & named : group);
  }
}

template <class F>
void for_each_lane(std::uint32_t lanes, F f) {
  for (; lanes != 0; lanes &= lanes - 1) f(static_cast<unsigned>(std::countr_zero(lanes)));
}

const Operation* active_mask(Warp& warp, const Operation* op) {
  std::uint32_t* d = slots<std::uint32_t>(warp, op->d);
  for_each_lane(warp.exec, [&](unsigned lane) { d[lane] = warp.active; });
  return op + 1;
}

/// PTX ISA, "shfl.sync": where a lane's value comes from and whether that is inside its segment.
template <ptx::Shuffle Kind>
struct Source {
  static int of(int lane, int b, int c, bool& inside) {
    const int segment = (c >> 8) & 31, clamp = c & 31;
    const int first = lane & segment, last = first | (clamp & ~segment);
    int j = lane;
    if constexpr (Kind == ptx::Shuffle::up) {
      j = lane - (b & 31);
      inside = j >= last;
    } else if constexpr (Kind == ptx::Shuffle::down) {
      j = lane + (b & 31);
      inside = j <= last;
    } else if constexpr (Kind == ptx::Shuffle::bfly) {
      j = lane ^ (b & 31);
      inside = j <= last;
    } else {
      j = first | (b & 31 & ~segment);
      inside = j <= last;
    }
    return inside ? j : lane;
  }
};

template <ptx::Shuffle Kind>
const Operation* shuffle(Warp& warp, const Operation* op) {
  std::uint32_t named;
  if (must_wait(warp, op->f, named)) [[unlikely]]
    return wait_for(warp, op, op->f, named);
  const std::uint32_t* a = slots<std::uint32_t>(warp, op->a);
  const std::uint32_t* b = slots<std::uint32_t>(warp, op->b);
  const std::uint32_t* c = slots<std::uint32_t>(warp, op->c);
  std::uint32_t* d = slots<std::uint32_t>(warp, op->d);
  std::uint32_t value[kWarpSize], inside[kWarpSize];
  for (int lane = 0; lane < static_cast<int>(kWarpSize); ++lane) {
    bool in = false;
    value[lane] = a[Source<Kind>::of(lane, static_cast<int>(b[lane]), static_cast<int>(c[lane]), in)];
    inside[lane] = in ? ~0u : 0u;
  }
  if (warp.exec == kFullMask) {
    WB_LANES d[lane] = value[lane];
  } else {
    const std::uint32_t* on = warp.exec_words();
    WB_LANES d[lane] = on[lane] ? value[lane] : d[lane];
  }
  if (op->e != kNoOperand) set_predicate(warp, op->e, mask_of(inside));
  return op + 1;
}

template <ptx::Vote Kind>
const Operation* vote(Warp& warp, const Operation* op) {
  std::uint32_t named;
  if (must_wait(warp, op->b, named)) [[unlikely]]
    return wait_for(warp, op, op->b, named);
  const std::uint32_t yes = predicate_input(warp, op, op->a, 0);
  std::uint32_t answers = 0;
  for_each_group(warp, op->b, [&](std::uint32_t group) {
    const std::uint32_t in = yes & group;
    if constexpr (Kind == ptx::Vote::ballot) {
      std::uint32_t* d = slots<std::uint32_t>(warp, op->d);
      for_each_lane(group, [&](unsigned lane) { d[lane] = in; });
    } else {
      const bool answer = Kind == ptx::Vote::all   ? in == group
                          : Kind == ptx::Vote::any ? in != 0
                                                   : in == group || in == 0;
      if (answer) answers |= group;
    }
  });
  if constexpr (Kind != ptx::Vote::ballot) set_predicate(warp, op->d, answers);
  return op + 1;
}

template <class T, bool All>
const Operation* match(Warp& warp, const Operation* op) {
  std::uint32_t named;
  if (must_wait(warp, op->b, named)) [[unlikely]]
    return wait_for(warp, op, op->b, named);
  T value[kWarpSize];
  std::memcpy(value, slots<T>(warp, op->a), sizeof value);
  std::uint32_t* d = slots<std::uint32_t>(warp, op->d);
  std::uint32_t agreeing = 0;
  std::uint64_t values = 0;
  for_each_group(warp, op->b, [&](std::uint32_t group) {
    for_each_lane(group, [&](unsigned lane) {
      std::uint32_t same = 0;
      for_each_lane(group, [&](unsigned other) { same |= std::uint32_t{value[other] == value[lane]} << other; });
      if constexpr (All) {
        d[lane] = same == group ? group : 0;
        if (same == group) agreeing |= 1u << lane;
      } else {
        d[lane] = same;
        values += (same & ((1u << lane) - 1)) == 0 ? 1 : 0;
      }
    });
  });
  if constexpr (All) set_predicate(warp, op->e, agreeing);
  warp.worker->counters.match_values += values;
  return op + 1;
}

template <class T, class F>
const Operation* reduce(Warp& warp, const Operation* op) {
  std::uint32_t named;
  if (must_wait(warp, op->b, named)) [[unlikely]]
    return wait_for(warp, op, op->b, named);
  T value[kWarpSize];
  std::memcpy(value, slots<T>(warp, op->a), sizeof value);
  Slot<T>* d = slots<T>(warp, op->d);
  for_each_group(warp, op->b, [&](std::uint32_t group) {
    T total = value[std::countr_zero(group)];
    if constexpr (F::kOfOne) total = F{}(total, total);  // Of one lane, too, it may be another value.
    for_each_lane(group & (group - 1), [&](unsigned lane) { total = F{}(total, value[lane]); });
    for_each_lane(group, [&](unsigned lane) { d[lane] = to_slot<T>(total); });
  });
  return op + 1;
}

const Operation* elect(Warp& warp, const Operation* op) {
  std::uint32_t named;
  if (must_wait(warp, op->a, named)) [[unlikely]]
    return wait_for(warp, op, op->a, named);
  std::uint32_t* d = slots<std::uint32_t>(warp, op->d);
  std::uint32_t leaders = 0;
  for_each_group(warp, op->a, [&](std::uint32_t group) {
    const unsigned leader = static_cast<unsigned>(std::countr_zero(group));
    leaders |= 1u << leader;
    for_each_lane(group, [&](unsigned lane) { d[lane] = leader; });
  });
  set_predicate(warp, op->e, leaders);
  return op + 1;
}

struct ReduceAdd {
  static constexpr bool kOfOne = false;
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a + b);
  }
};
struct Min {
  static constexpr bool kOfOne = false;
  template <class T>
  T operator()(T a, T b) const {
    return b < a ? b : a;
  }
};
struct Max {
  static constexpr bool kOfOne = false;
  template <class T>
  T operator()(T a, T b) const {
    return a < b ? b : a;
  }
};
struct ReduceAnd {
  static constexpr bool kOfOne = false;
  template <class T>
  T operator()(T a, T b) const {
    return a & b;
  }
};
struct ReduceOr {
  static constexpr bool kOfOne = false;
  template <class T>
  T operator()(T a, T b) const {
    return a | b;
  }
};
struct ReduceXor {
  static constexpr bool kOfOne = false;
  template <class T>
  T operator()(T a, T b) const {
    return a ^ b;
  }
};

/// The bits of an f32: -0 is less than +0. A NaN loses against a number, except with .NaN; only NaNs give the canonical
/// one.
template <bool Greatest, bool Abs, bool Nan>
struct ReduceFloats {
  static constexpr bool kOfOne = true;
  static constexpr std::uint32_t kNan = 0x7fffffffu;
  static bool is_nan(std::uint32_t a) { return (a & 0x7fffffffu) > 0x7f800000u; }
  static std::int32_t key(std::uint32_t a) {
    return static_cast<std::int32_t>(a ^ (static_cast<std::uint32_t>(static_cast<std::int32_t>(a) >> 31) >> 1));
  }
  std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const {
    if constexpr (Abs) a &= 0x7fffffffu, b &= 0x7fffffffu;
    if (is_nan(a)) return Nan || is_nan(b) ? kNan : b;
    if (is_nan(b)) return Nan ? kNan : a;
    return (Greatest ? key(a) > key(b) : key(a) < key(b)) ? a : b;
  }
};

}  // namespace

Handler resolve_activemask(const Modifiers&) { return active_mask; }

Handler resolve_shfl_sync(const Modifiers& m) {
  switch (m.shuffle) {
    case ptx::Shuffle::up:
      return shuffle<ptx::Shuffle::up>;
    case ptx::Shuffle::down:
      return shuffle<ptx::Shuffle::down>;
    case ptx::Shuffle::bfly:
      return shuffle<ptx::Shuffle::bfly>;
    case ptx::Shuffle::idx:
      return shuffle<ptx::Shuffle::idx>;
    default:
      return nullptr;
  }
}

Handler resolve_vote_sync(const Modifiers& m) {
  switch (m.vote) {
    case ptx::Vote::all:
      return vote<ptx::Vote::all>;
    case ptx::Vote::any:
      return vote<ptx::Vote::any>;
    case ptx::Vote::uni:
      return vote<ptx::Vote::uni>;
    default:
      return nullptr;
  }
}
Handler resolve_vote_sync_ballot(const Modifiers&) { return vote<ptx::Vote::ballot>; }

// Without .sync: the decoder passes the active lanes as the mask.
Handler resolve_shfl(const Modifiers& m) { return resolve_shfl_sync(m); }
Handler resolve_vote(const Modifiers& m) { return resolve_vote_sync(m); }
Handler resolve_vote_ballot(const Modifiers&) { return vote<ptx::Vote::ballot>; }

Handler resolve_match_any_sync(const Modifiers& m) {
  return ptx::size_of(m.types[0]) == 8 ? match<std::uint64_t, false> : match<std::uint32_t, false>;
}
Handler resolve_match_all_sync(const Modifiers& m) {
  return ptx::size_of(m.types[0]) == 8 ? match<std::uint64_t, true> : match<std::uint32_t, true>;
}

Handler resolve_redux_sync_arithmetic(const Modifiers& m) {
  const bool is_signed = m.types[0] == Type::s32;
  switch (m.atomic) {
    case ptx::AtomicOp::add:
      return reduce<std::uint32_t, ReduceAdd>;
    case ptx::AtomicOp::min:
      return is_signed ? reduce<std::int32_t, Min> : reduce<std::uint32_t, Min>;
    case ptx::AtomicOp::max:
      return is_signed ? reduce<std::int32_t, Max> : reduce<std::uint32_t, Max>;
    default:
      return nullptr;
  }
}
Handler resolve_redux_sync_logic(const Modifiers& m) {
  switch (m.atomic) {
    case ptx::AtomicOp::and_:
      return reduce<std::uint32_t, ReduceAnd>;
    case ptx::AtomicOp::or_:
      return reduce<std::uint32_t, ReduceOr>;
    case ptx::AtomicOp::xor_:
      return reduce<std::uint32_t, ReduceXor>;
    default:
      return nullptr;
  }
}

Handler resolve_redux_sync_floating(const Modifiers& m) {
  const auto chosen = [&]<bool Greatest>() -> Handler {
    using U = std::uint32_t;
    if (m.abs)
      return m.nan ? reduce<U, ReduceFloats<Greatest, true, true>> : reduce<U, ReduceFloats<Greatest, true, false>>;
    return m.nan ? reduce<U, ReduceFloats<Greatest, false, true>> : reduce<U, ReduceFloats<Greatest, false, false>>;
  };
  return m.atomic == ptx::AtomicOp::max ? chosen.template operator()<true>() : chosen.template operator()<false>();
}

Handler resolve_elect_sync(const Modifiers&) { return elect; }

}  // namespace warpbook::simulator::operations::WB_ISA

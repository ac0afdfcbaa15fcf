// How undefined bits propagate from the inputs of an operation to its outputs: bit by bit where that is simple;
// elsewhere one undefined bit makes all undefined.
#include <algorithm>
#include <bit>

#include "common/simulator/machine/taint.h"

namespace warpbook::simulator {
namespace {

using Kind = TaintRule::Kind;
using Words = std::array<std::uint64_t, kWarpSize>;

/// The inputs of an operation: values `v` and their undefined bits `s`.
struct Inputs {
  std::array<Words, 4> s, v;
};

unsigned bits_of(std::uint8_t bytes) { return 8u * bytes; }

/// The result bits that depend on the undefined inputs.
std::uint64_t through_table(std::uint8_t table, const std::uint64_t* v, const std::uint64_t* s) {
  std::uint64_t ones = 0, zeros = 0;
  for (unsigned k = 0; k < 8; ++k) {
    std::uint64_t possible = ~std::uint64_t{0};
    for (unsigned i = 0; i < 3; ++i) possible &= (((k >> (2 - i)) & 1) != 0 ? v[i] : ~v[i]) | s[i];
    (((table >> k) & 1) != 0 ? ones : zeros) |= possible;
  }
  return ones & zeros;
}

std::uint64_t upwards(std::uint64_t s) { return s | (0 - s); }

/// Bits [0, width) of @p s, extended by the highest one if @p sign.
std::uint64_t extended(std::uint64_t s, unsigned width, bool sign) {
  if (width >= 64) return s;
  const std::uint64_t mask = (std::uint64_t{1} << width) - 1;
  s &= mask;
  return sign && width != 0 && ((s >> (width - 1)) & 1) != 0 ? s | ~mask : s;
}

std::uint64_t shifted_right(std::uint64_t s, std::uint64_t by, unsigned width, bool sign) {
  const std::uint64_t wide = extended(s, width, sign);
  if (by >= 64) return sign && (wide >> 63) != 0 ? ~std::uint64_t{0} : 0;
  return sign ? static_cast<std::uint64_t>(static_cast<std::int64_t>(wide) >> by) : wide >> by;
}

/// prmt without a mode: each nibble of the selector chooses a byte, or the sign of a byte.
std::uint64_t permuted(std::uint64_t a, std::uint64_t b, std::uint64_t selector) {
  const std::uint64_t bytes = (a & 0xffffffffu) | b << 32;
  std::uint64_t result = 0;
  for (unsigned k = 0; k < 4; ++k) {
    const auto nibble = static_cast<unsigned>(selector >> (4 * k)) & 15u;
    std::uint64_t byte = (bytes >> (8 * (nibble & 7))) & 0xff;
    if ((nibble & 8) != 0) byte = (byte & 0x80) != 0 ? 0xff : 0;
    result |= byte << (8 * k);
  }
  return result;
}

std::uint64_t funnelled(const Operation& op, const ptx::Modifiers& m, std::uint64_t a, std::uint64_t b,
                        std::uint64_t amount) {
  (void)op;
  const std::uint64_t both = (b & 0xffffffffu) << 32 | (a & 0xffffffffu);
  const bool left = m.direction == ptx::Mode::left;
  const std::uint64_t by = m.mode == ptx::Mode::clamp ? std::min<std::uint64_t>(amount, 32) : amount % 32;
  return (left ? (both << by) >> 32 : both >> by) & 0xffffffffu;
}

/// One lane's undefined output bits.
std::uint64_t lane_of(Warp& warp, const Operation* op, const TaintRule& rule, const Inputs& in, unsigned lane) {
  std::uint64_t s[4], v[4], all = 0;
  for (unsigned k = 0; k < 4; ++k) {
    s[k] = in.s[k][lane];
    v[k] = in.v[k][lane];
    all |= s[k];
  }
  if (all == 0) return 0;
  const std::uint64_t everything = ~std::uint64_t{0};
  const unsigned width = bits_of(rule.inputs[0]);
  switch (rule.kind) {
    case Kind::same:
      return s[0];
    case Kind::upwards:
      return upwards(s[0] | s[1] | s[2]);
    case Kind::extend:
      return extended(s[0], width, rule.sign);
    case Kind::logic:
      return through_table(rule.table, v, s);
    case Kind::select:
      return s[2] != 0 ? everything : v[2] != 0 ? s[0] : s[1];
    case Kind::shift_left:
      return s[1] != 0 ? everything : v[1] >= 64 ? 0 : s[0] << v[1];
    case Kind::shift_right:
      return s[1] != 0 ? everything : shifted_right(s[0], v[1], width, rule.sign);
    case Kind::funnel:
      return s[2] != 0 ? everything : funnelled(*op, warp.program->details[op->index].modifiers, s[0], s[1], v[2]);
    case Kind::extract: {
      if ((s[1] | s[2]) != 0) return everything;
      const std::uint64_t from = v[1] & 0xff, count = v[2] & 0xff;
      return extended(shifted_right(s[0], from, width, rule.sign), static_cast<unsigned>(count), rule.sign);
    }
    case Kind::insert: {
      if ((s[2] | s[3]) != 0) return everything;
      const std::uint64_t to = v[2] & 0xff, count = v[3] & 0xff;
      if (to >= 64 || count == 0) return s[1];
      const std::uint64_t where = (count >= 64 ? everything : (std::uint64_t{1} << count) - 1) << to;
      return (s[1] & ~where) | ((s[0] << to) & where);
    }
    case Kind::permute:
      return s[2] != 0 ? everything : permuted(s[0], s[1], v[2]);
    case Kind::compare: {
      using ptx::Compare;
      const ptx::Modifiers& m = warp.program->details[op->index].modifiers;
      const std::uint64_t known = ~(s[0] | s[1]);
      bool unknown = (s[0] | s[1]) != 0;
      // Integers that differ in a defined bit are different, whatever the other bits are.
      if ((m.compare == Compare::eq || m.compare == Compare::ne) && rule.sign)
        unknown = unknown && ((v[0] ^ v[1]) & known) == 0;
      if (s[2] == 0 && m.bool_op == ptx::BoolOp::and_ && rule.inputs[2] != 0) return unknown && v[2] != 0;
      if (s[2] == 0 && m.bool_op == ptx::BoolOp::or_ && rule.inputs[2] != 0) return unknown && v[2] == 0;
      return unknown || s[2] != 0;
    }
    default:
      return everything;
  }
}

bool is_simple(Kind kind) { return kind == Kind::any || kind == Kind::same || kind == Kind::upwards; }

/// For operations whose values do not matter.
void spread_simply(const Warp& warp, const TaintRule& rule, const std::uint32_t* slots, std::uint64_t* out) {
  Words all = {}, one;
  for (unsigned k = 0; k < 4; ++k) {
    if (rule.inputs[k] == 0 || !taint::any(warp, rule, slots[k], rule.inputs[k])) continue;
    taint::read(warp, rule, slots[k], rule.inputs[k], one.data());
    for (unsigned lane = 0; lane < kWarpSize; ++lane) all[lane] |= one[lane];
  }
  const std::uint64_t mask = rule.outputs[0] == TaintRule::kPredicate ? 1 : taint::mask_of(rule.outputs[0]);
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    const std::uint64_t whole = rule.kind == Kind::any       ? (all[lane] != 0 ? ~std::uint64_t{0} : 0)
                                : rule.kind == Kind::upwards ? upwards(all[lane])
                                                             : all[lane];
    out[lane] = whole & mask;
  }
}

/// mov between a whole and its parts.
void spread_parts(Warp& warp, const Operation* op, const TaintRule& rule) {
  const std::uint32_t* const lists = warp.program->lists.data();
  Words whole = {}, part;
  if (rule.kind == Kind::pack) {
    const unsigned step = bits_of(rule.inputs[0]);
    std::uint32_t from = 0;
    bool some = false;
    for (unsigned k = 0; k < op->count; ++k) {
      const std::uint32_t slot = lists[op->a + k];
      if (!taint::any(warp, rule, slot, rule.inputs[0])) continue;
      if (!some) from = taint::origin(warp, rule, slot);
      some = true;
      taint::read(warp, rule, slot, rule.inputs[0], part.data());
      for (unsigned lane = 0; lane < kWarpSize; ++lane) whole[lane] |= part[lane] << (step * k);
    }
    if (some)
      taint::write(warp, rule, op->d, rule.outputs[0], whole.data(), from);
    else
      taint::define(warp, rule, op->d, rule.outputs[0]);
    return;
  }
  if (!taint::any(warp, rule, op->a, rule.inputs[0])) {
    taint::define_outputs(warp, op, rule);
    return;
  }
  const unsigned step = bits_of(rule.outputs[0]);
  const std::uint32_t from = taint::origin(warp, rule, op->a);
  taint::read(warp, rule, op->a, rule.inputs[0], whole.data());
  for (unsigned k = 0; k < op->count; ++k) {
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      part[lane] = (whole[lane] >> (step * k)) & taint::mask_of(rule.outputs[0]);
    taint::write(warp, rule, lists[op->d + k], rule.outputs[0], part.data(), from);
  }
}

/// Calls f(lanes) for the executing lanes of each group that names the same mask, like the warp-level operations.
template <class F>
void for_each_group(const Warp& warp, std::uint32_t masks, F f) {
  const auto* mask = reinterpret_cast<const std::uint32_t*>(warp.registers + masks);
  for (std::uint32_t rest = warp.exec; rest != 0;) {
    const std::uint32_t named = mask[std::countr_zero(rest)];
    std::uint32_t group = 0;
    for (std::uint32_t lanes = rest; lanes != 0; lanes &= lanes - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
      if (mask[lane] == named) group |= 1u << lane;
    }
    rest &= ~group;
    f((group & named) != 0 ? group & named : group);
  }
}

/// Lanes named by the masks that have not arrived: the shuffle waits for them.
bool waits_for_others(const WarpState& warp, const std::uint32_t* mask) {
  if (warp.active == warp.live || warp.synchronised) return false;
  std::uint32_t named = 0;
  for (std::uint32_t rest = warp.exec; rest != 0; rest &= rest - 1) named |= mask[std::countr_zero(rest)];
  return (named & warp.live & ~warp.active) != 0;
}

/// The lane whose value shfl gives to @p lane; @p lane itself if that is outside its segment.
unsigned source_lane(ptx::Shuffle kind, int lane, std::uint32_t b, std::uint32_t c) {
  const int segment = static_cast<int>(c >> 8) & 31, clamp = static_cast<int>(c) & 31, by = static_cast<int>(b) & 31;
  const int first = lane & segment, last = first | (clamp & ~segment);
  int j = 0;
  bool inside = false;
  switch (kind) {
    case ptx::Shuffle::up:
      j = lane - by;
      inside = j >= last;
      break;
    case ptx::Shuffle::down:
      j = lane + by;
      inside = j <= last;
      break;
    case ptx::Shuffle::bfly:
      j = lane ^ by;
      inside = j <= last;
      break;
    default:
      j = first | (by & ~segment);
      inside = j <= last;
  }
  return static_cast<unsigned>(inside ? j : lane);
}

}  // namespace

void TaintChecker::spread(WarpState& warp, const Operation* op, const TaintRule& rule) {
  if (rule.kind == Kind::pack || rule.kind == Kind::unpack) {
    spread_parts(warp, op, rule);
    return;
  }
  const std::uint32_t slots[4] = {op->a, op->b, op->c, op->f};
  std::uint32_t& carry = warp.taint->carry;
  std::uint32_t from = 0;
  bool some = rule.carry_in && (carry & warp.exec) != 0;
  for (unsigned k = 0; k < 4 && rule.kind != Kind::defined; ++k) {
    if (rule.inputs[k] == 0 || !taint::any(warp, rule, slots[k], rule.inputs[k])) continue;
    some = true;
    if (from == 0) from = taint::origin(warp, rule, slots[k]);
  }
  if (from == 0 && some) from = warp.taint->carry_origin;
  // A value minus itself is 0, whatever it is.
  const bool cancels = op->a == op->b && rule.inputs[0] != 0 && rule.inputs[1] != 0 &&
                       ((rule.kind == Kind::logic && rule.table == 0x3c) || (rule.kind == Kind::upwards && rule.sign));
  if (!some || cancels) {
    taint::define_outputs(warp, op, rule);
    if (rule.carry_out) carry &= ~warp.exec;
    return;
  }
  Words out;
  if (is_simple(rule.kind) && !rule.carry_in && !rule.carry_out) {
    spread_simply(warp, rule, slots, out.data());
    taint::write(warp, rule, op->d, rule.outputs[0], out.data(), from);
    taint::write(warp, rule, op->e, rule.outputs[1], out.data(), from);
    return;
  }
  Inputs in;
  for (unsigned k = 0; k < 4; ++k) {
    taint::read(warp, rule, slots[k], rule.inputs[k], in.s[k].data());
    taint::read_values(warp, slots[k], rule.inputs[k], in.v[k].data());
    if (rule.inputs[k] == TaintRule::kPredicate && op->flags.negates(k))
      for (std::uint64_t& value : in.v[k]) value ^= 1;
  }
  std::uint32_t carries = 0;
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    out[lane] = lane_of(warp, op, rule, in, lane);
    if (rule.carry_in && ((carry >> lane) & 1) != 0) out[lane] = ~std::uint64_t{0};
    if (rule.outputs[0] == TaintRule::kPredicate) out[lane] &= rule.kind == Kind::logic ? 1 : ~std::uint64_t{0};
    if (out[lane] != 0) carries |= 1u << lane;
  }
  if (rule.carry_out) {
    carry = (carry & ~warp.exec) | (carries & warp.exec);
    warp.taint->carry_origin = from;
  }
  for (std::uint64_t& bits : out)
    if (rule.outputs[0] != TaintRule::kPredicate) bits &= taint::mask_of(rule.outputs[0]);
  taint::write(warp, rule, op->d, rule.outputs[0], out.data(), from);
  taint::write(warp, rule, op->e, rule.outputs[1], out.data(), from);
}

bool TaintChecker::may_lack_sources(const WarpState& warp, const Operation* op) {
  if (warp.exec != kFullMask) return true;
  const auto* const mask = reinterpret_cast<const std::uint32_t*>(warp.registers + op->f);
  std::uint32_t all = kFullMask;
  for (unsigned lane = 0; lane < kWarpSize; ++lane) all &= mask[lane];
  return all != kFullMask;
}

void TaintChecker::lack_sources(WarpState& warp, const Operation* op, const TaintRule& rule) {
  const auto* const mask = reinterpret_cast<const std::uint32_t*>(warp.registers + op->f);
  const auto* const b = reinterpret_cast<const std::uint32_t*>(warp.registers + op->b);
  const auto* const c = reinterpret_cast<const std::uint32_t*>(warp.registers + op->c);
  const ptx::Shuffle kind = warp.program->details[op->index].modifiers.shuffle;
  // A lane that takes part elsewhere in the program takes part, too.
  const std::uint32_t there = warp.live & ~(warp.active & ~warp.exec);
  TaintOrigin found;
  for (std::uint32_t left = warp.exec; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    const unsigned from = source_lane(kind, static_cast<int>(lane), b[lane], c[lane]);
    const bool named = ((mask[lane] >> from) & 1) != 0;
    if (from == lane || (named && ((there >> from) & 1) != 0)) continue;
    found.lanes |= 1u << lane;
    found.at[lane] = from;
    if (named) found.named |= 1u << lane;
  }
  if (found.lanes == 0) return;
  found.operation = op;
  found.rule = &rule;
  found.space = ptx::Space::reg;
  found.shuffled = true;
  found.warp = warp.index;
  if (!warp.tainted) begin_taint(warp);
  Words out;
  out.fill(~std::uint64_t{0});
  const std::uint32_t exec = std::exchange(warp.exec, found.lanes);
  taint::write(warp, rule, op->d, 4, out.data(), number_of(*warp.taint->block, found));
  warp.exec = exec;
}

void TaintChecker::spread_among_lanes(WarpState& warp, const Operation* op, const TaintRule& rule) {
  const std::uint32_t masks = rule.kind == Kind::shuffle ? op->f : op->b;
  const auto* const mask = reinterpret_cast<const std::uint32_t*>(warp.registers + masks);
  // Lanes that have to wait for others execute this again together with them.
  if (waits_for_others(warp, mask)) return;
  Words in, out = {};
  const bool amount = warp.tainted && rule.kind == Kind::shuffle &&
                      (taint::any(warp, rule, op->b, 4) || taint::any(warp, rule, op->c, 4));
  if (!amount && !(warp.tainted && taint::any(warp, rule, op->a, rule.inputs[0]))) {
    if (warp.tainted) taint::define_outputs(warp, op, rule);
    if (rule.kind == Kind::shuffle) lack_sources(warp, op, rule);
    return;
  }
  const std::uint32_t from = taint::origin(warp, rule, amount ? op->b : op->a);
  taint::read(warp, rule, op->a, rule.inputs[0], in.data());
  if (rule.kind == Kind::shuffle) {
    const auto* b = reinterpret_cast<const std::uint32_t*>(warp.registers + op->b);
    const auto* c = reinterpret_cast<const std::uint32_t*>(warp.registers + op->c);
    const ptx::Shuffle kind = warp.program->details[op->index].modifiers.shuffle;
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      out[lane] = amount ? ~std::uint64_t{0} : in[source_lane(kind, static_cast<int>(lane), b[lane], c[lane])];
    taint::write(warp, rule, op->d, 4, out.data(), from);
    if (!amount) out = {};
    taint::write(warp, rule, op->e, rule.outputs[1], out.data(), from);
    lack_sources(warp, op, rule);
    return;
  }
  Words value;
  taint::read_values(warp, op->a, rule.inputs[0], value.data());
  const auto negated = std::uint64_t{op->flags.negates(0)};
  for_each_group(warp, masks, [&](std::uint32_t group) {
    std::uint64_t undefined = 0;
    bool decided = false;  // Set if a lane with a defined predicate decides the result.
    const ptx::Vote vote = warp.program->details[op->index].modifiers.vote;
    for (std::uint32_t left = group; left != 0; left &= left - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(left));
      if (in[lane] != 0)
        undefined |= std::uint64_t{1} << lane;
      else if (rule.kind == Kind::vote)
        decided |= vote == ptx::Vote::any ? (value[lane] ^ negated) != 0
                                          : vote == ptx::Vote::all && (value[lane] ^ negated) == 0;
    }
    if (rule.kind != Kind::ballot) undefined = undefined != 0 && !decided ? ~std::uint64_t{0} : 0;
    for (std::uint32_t left = group; left != 0; left &= left - 1)
      out[static_cast<unsigned>(std::countr_zero(left))] = undefined;
  });
  taint::write(warp, rule, op->d, rule.outputs[0], out.data(), from);
  taint::write(warp, rule, op->e, rule.outputs[1], out.data(), from);
}

}  // namespace warpbook::simulator

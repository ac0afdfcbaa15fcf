// Loads bring undefined bits from memory, stores write them there, atomics and asynchronous copies do both.
#include <algorithm>
#include <bit>
#include <cstring>

#include "common/simulator/machine/address_space.h"
#include "common/simulator/machine/block_state.h"
#include "common/simulator/machine/checker.h"
#include "common/simulator/machine/lane_values.h"
#include "common/simulator/machine/matrix_lines.h"
#include "common/simulator/machine/taint.h"

namespace warpbook::simulator {
namespace {

using ptx::Space;

/// Converts between one bit per byte and masks of bytes.
std::uint64_t widened(std::uint64_t bytes, unsigned count) {
  std::uint64_t bits = 0;
  for (unsigned k = 0; k < count; ++k)
    if (((bytes >> k) & 1) != 0) bits |= std::uint64_t{0xff} << (8 * k);
  return bits;
}
std::uint64_t narrowed(std::uint64_t bits, unsigned count) {
  std::uint64_t bytes = 0;
  for (unsigned k = 0; k < count; ++k)
    if (((bits >> (8 * k)) & 0xff) != 0) bytes |= std::uint64_t{1} << k;
  return bytes;
}

std::uint64_t key_of(Space space, std::uint32_t warp, std::uint64_t at) {
  return space == Space::shared ? at / 4 : std::uint64_t{warp + 1} << 40 | at / 4;
}

}  // namespace

/// Where each lane accesses which memory; memory that cannot be undefined is left out.
struct TaintChecker::Lanes {
  alignas(64) std::array<std::uint64_t, kWarpSize> at;  ///< Bit position in the shadow of its memory.
  std::uint32_t global = 0, shared = 0, local = 0;
  std::uint32_t bytes = 0;
  std::uint32_t remote = 0;                    ///< Lanes that access shared memory of other blocks of the cluster,
  std::array<TaintedBlock*, kWarpSize> block;  ///< and these blocks.

  std::uint32_t all() const { return global | shared | local | remote; }
  /// The part for one lane.
  Lanes only(unsigned lane) const {
    Lanes one = *this;
    for (std::uint32_t* which : {&one.global, &one.shared, &one.local, &one.remote}) *which &= 1u << lane;
    return one;
  }
};

/// A lane accesses shared memory at @p offset of its window: its own block's, or that of another block of the cluster.
void TaintChecker::resolve_shared(const WarpState& warp, unsigned lane, std::uint64_t offset, Lanes& lanes) {
  const std::vector<BlockState*>& blocks = warp.state->cluster_blocks();
  const std::uint64_t rank = offset / kWindowBytes - kFirstRank;
  const BlockState* const block = offset < kWindowBytes ? warp.state : rank < blocks.size() ? blocks[rank] : nullptr;
  offset %= kWindowBytes;
  if (block == nullptr || offset + lanes.bytes > block->shared_bytes) return;
  lanes.at[lane] = offset;
  if (block == warp.state) {
    lanes.shared |= 1u << lane;
  } else if (block->checked != nullptr && block->checked->tainted) {
    lanes.remote |= 1u << lane;
    lanes.block[lane] = block->checked->tainted.get();
  }
}

namespace {

/// Whether all lanes' addresses are at most @p most, which is less than 2^63, and multiples of a power of two.
bool are_all_within(const std::array<std::uint64_t, kWarpSize>& at, std::uint64_t most, std::uint64_t alignment) {
  std::uint64_t beyond = 0, odd = 0;
  for (unsigned lane = 0; lane < kWarpSize; ++lane) beyond |= at[lane] | (most - at[lane]), odd |= at[lane];
  return beyond >> 63 == 0 && (odd & (alignment - 1)) == 0;
}

}  // namespace

void TaintChecker::resolve(WarpState& warp, const Operation* op, std::uint32_t bytes, Lanes& lanes) {
  const std::byte* const slot = warp.registers + op->a;
  const std::uint64_t displacement = added_to_address(warp, op);
  lanes.bytes = bytes;
  if (op->flags.has_narrow_address()) {
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      lanes.at[lane] = reinterpret_cast<const std::uint32_t*>(slot)[lane] + displacement;
  } else {
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      lanes.at[lane] = reinterpret_cast<const std::uint64_t*>(slot)[lane] + displacement;
  }
  std::uint64_t windows = 0;
  for (std::uint32_t left = op->space == Space::generic ? warp.exec : 0; left != 0; left &= left - 1)
    windows |= lanes.at[static_cast<unsigned>(std::countr_zero(left))] >> 48;
  if (windows != 0) {
    resolve_windows(warp, lanes);
    return;
  }
  std::uint32_t inside = 0;
  if (op->space == Space::shared) {
    for (unsigned lane = 0; lane < kWarpSize; ++lane) lanes.at[lane] &= 0xffffffffu;
    if (bytes <= warp.shared_bytes && are_all_within(lanes.at, warp.shared_bytes - bytes, 1)) {
      lanes.shared = warp.exec;
      return;
    }
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      inside |= (lanes.at[lane] + bytes <= warp.shared_bytes ? 1u : 0u) << lane;
    lanes.shared = inside & warp.exec;
    for (std::uint32_t left = warp.exec & ~inside; left != 0; left &= left - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(left));
      resolve_shared(warp, lane, lanes.at[lane], lanes);
    }
  } else if (op->space == Space::local) {
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      lanes.at[lane] &= 0xffffffffu;
      inside |= (lanes.at[lane] + bytes <= warp.local_stride ? 1u : 0u) << lane;
      lanes.at[lane] += lane * warp.local_stride;
    }
    lanes.local = inside & warp.exec;
  } else {
    for (unsigned lane = 0; lane < kWarpSize; ++lane) lanes.at[lane] -= GlobalMemory::kBase;
    if (are_all_within(lanes.at, kFollowed - bytes - 1, bytes)) {
      lanes.global = warp.exec;
      return;
    }
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      inside |= (lanes.at[lane] < kFollowed - bytes && (lanes.at[lane] & (bytes - 1)) == 0 ? 1u : 0u) << lane;
    }
    lanes.global = inside & warp.exec;
  }
}

/// Generic addresses, some of which are in windows of memory other than global.
void TaintChecker::resolve_windows(const WarpState& warp, Lanes& lanes) {
  for (std::uint32_t left = warp.exec; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    const std::uint64_t address = lanes.at[lane];
    const Space space = space_of(address);
    if (space == Space::global) {
      lanes.at[lane] = address - GlobalMemory::kBase;
      if (lanes.at[lane] < kFollowed - lanes.bytes && (lanes.at[lane] & (lanes.bytes - 1)) == 0)
        lanes.global |= 1u << lane;
    } else if (space == Space::shared) {
      resolve_shared(warp, lane, address - kSharedWindow, lanes);
    } else if (space == Space::local && address - kLocalWindow + lanes.bytes <= warp.local_stride) {
      lanes.at[lane] = address - kLocalWindow + lane * warp.local_stride;
      lanes.local |= 1u << lane;
    }
  }
}

namespace {

/// The lowest and highest address of the executing lanes, rounded to the power of two in which they differ.
struct Reach {
  std::uint64_t low, high;
};
template <class Word>
Reach reach_of(Warp& warp, const Operation* op) {
  const auto* const address = reinterpret_cast<const Word*>(warp.registers + op->a);
  const Word one = address[std::countr_zero(warp.exec)];
  Word difference = 0;
  if (warp.exec == kFullMask) {
    for (unsigned lane = 0; lane < kWarpSize; ++lane) difference |= address[lane] ^ one;
  } else {
    const std::uint32_t* const on = warp.exec_words();
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      difference |= (address[lane] ^ one) & static_cast<Word>(static_cast<std::int32_t>(on[lane]));
  }
  const auto mask = difference == 0 ? Word{0} : static_cast<Word>(~Word{0} >> std::countl_zero(difference));
  const std::uint64_t displacement = added_to_address(warp, op);
  return {(one & static_cast<Word>(~mask)) + displacement, (one | mask) + displacement};
}

/// The same for the lanes of a linear access, which need not be looked at.
Reach reach_of(const GlobalPattern& pattern) {
  const std::uint64_t first = pattern.first + pattern.origin->here;
  const std::uint64_t last = first + static_cast<std::uint64_t>(pattern.stride) * (pattern.count - 1u);
  return {std::min(first, last), std::max(first, last)};
}

/// Larger ranges are checked lane by lane.
constexpr std::uint64_t kManyPages = 16 * UndefinedPages::kPageBytes, kManyShared = 2048;

}  // namespace

/// A cheap test that is true for most accesses; false means unknown.
bool TaintChecker::clearly_defined(WarpState& warp, const Operation* op, std::uint32_t bytes) const {
  if (op->space == Space::local) return !warp.taint->local.any();
  const UndefinedBits& shared = warp.taint->block->shared;
  if (op->space == Space::shared && !shared.any() && warp.state->cluster_blocks().size() < 2) return true;
  const GlobalPattern* const pattern = global_pattern_of(warp, op);
  Reach reach = pattern != nullptr && pattern->lanes == warp.exec ? reach_of(*pattern)
                : op->flags.has_narrow_address()                  ? reach_of<std::uint32_t>(warp, op)
                                                                  : reach_of<std::uint64_t>(warp, op);
  reach.high += bytes - 1;
  if (op->space == Space::shared) {
    reach.low &= 0xffffffffu;
    reach.high &= 0xffffffffu;
    return reach.high < warp.shared_bytes && reach.low <= reach.high && reach.high - reach.low < kManyShared &&
           shared.defined(reach.low, reach.high);
  }
  if (reach.high - reach.low >= kManyPages) return false;
  const std::uint64_t low = reach.low - GlobalMemory::kBase, high = reach.high - GlobalMemory::kBase;
  if (low < kFollowed && high < kFollowed) return global_.defined(low, high);
  // The host has written all memory above.
  return low >= kFollowed && high >= low && reach.high < kSharedWindow;
}

/// The undefined bytes of each lane, one bit per byte. @returns whether there are any
bool TaintChecker::find_undefined(const WarpState& warp, const Lanes& lanes, std::uint64_t* undefined) const {
  const UndefinedBits& shared = warp.taint->block->shared;
  if (shared.any() && lanes.shared == kFullMask && are_all_within(lanes.at, shared.bytes() - 1, lanes.bytes))
    return shared.get_each(lanes.at.data(), kWarpSize, lanes.bytes, undefined);
  std::fill_n(undefined, kWarpSize, 0);
  std::uint64_t some = 0;
  const auto look = [&](std::uint32_t which, const auto& memory) {
    for (std::uint32_t left = which; left != 0; left &= left - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(left));
      some |= undefined[lane] = memory.get(lanes.at[lane], lanes.bytes);
    }
  };
  look(lanes.global, global_);
  if (shared.any()) look(lanes.shared, shared);
  if (warp.taint->local.any()) look(lanes.local, warp.taint->local);
  for (std::uint32_t left = lanes.remote; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    some |= undefined[lane] = lanes.block[lane]->shared.get(lanes.at[lane], lanes.bytes);
  }
  return some != 0;
}

/// Sets which bytes of each lane are undefined now.
void TaintChecker::write(WarpState& warp, const Lanes& lanes, const std::uint64_t* undefined, std::uint32_t origin) {
  TaintedBlock& block = *warp.taint->block;
  const bool one_memory = lanes.global == kFullMask || (lanes.shared == kFullMask && block.stored.empty());
  if (undefined == nullptr && one_memory) {
    std::uint64_t out_of_row = lanes.at[0] & (lanes.bytes - 1);
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      out_of_row |= lanes.at[lane] ^ (lanes.at[0] + std::uint64_t{lane} * lanes.bytes);
    if (out_of_row == 0) {
      const std::uint64_t bytes = std::uint64_t{kWarpSize} * lanes.bytes;
      if (lanes.shared != 0)
        block.shared.set(lanes.at[0], bytes, false);
      else
        global_.set(lanes.at[0], bytes, false);
      return;
    }
    if (lanes.shared != 0) {
      for (unsigned lane = 0; lane < kWarpSize && block.shared.any(); ++lane)
        block.shared.assign(lanes.at[lane], lanes.bytes, 0);
      return;
    }
  }
  for (std::uint32_t left = lanes.all(); left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    const std::uint64_t bits = undefined == nullptr ? 0 : undefined[lane], at = lanes.at[lane];
    if (((lanes.global >> lane) & 1) != 0) {
      global_.assign(at, lanes.bytes, bits);
      continue;
    }
    if (((lanes.remote >> lane) & 1) != 0) {
      // Origin numbers belong to one block.
      lanes.block[lane]->shared.assign(at, lanes.bytes, bits);
      for (unsigned k = 0; k < lanes.bytes; k += 4) lanes.block[lane]->stored.erase(key_of(Space::shared, 0, at + k));
      continue;
    }
    const bool shared = ((lanes.shared >> lane) & 1) != 0;
    (shared ? block.shared : warp.taint->local).assign(at, lanes.bytes, bits);
    if (bits == 0 && block.stored.empty()) continue;
    for (unsigned k = 0; k < lanes.bytes; k += 4) {
      const std::uint64_t key = key_of(shared ? Space::shared : Space::local, warp.index, at + k);
      if (((bits >> k) & 15) != 0)
        block.stored[key] = origin;
      else if (lanes.bytes >= 4)
        block.stored.erase(key);
    }
  }
}

/// The origin number of these bits: this load, or an earlier one whose value was stored there.
std::uint32_t TaintChecker::origin_at(WarpState& warp, const Operation* op, const TaintRule& rule, const Lanes& lanes,
                                      const std::uint64_t* undefined) {
  TaintedBlock& block = *warp.taint->block;
  const auto space_at = [&](unsigned lane) {
    return (((lanes.shared | lanes.remote) >> lane) & 1) != 0 ? Space::shared
           : ((lanes.local >> lane) & 1) != 0                 ? Space::local
                                                              : Space::global;
  };
  TaintOrigin found;
  for (std::uint32_t left = warp.exec; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    if (undefined[lane] == 0) continue;
    const Space space = space_at(lane);
    const std::uint64_t at = lanes.at[lane] + static_cast<unsigned>(std::countr_zero(undefined[lane]));
    const bool own = space != Space::global && ((lanes.remote >> lane) & 1) == 0;
    if (found.lanes == 0 && own && !block.stored.empty()) {
      const auto stored = block.stored.find(key_of(space, warp.index, at));
      if (stored != block.stored.end() && stored->second != 0) return stored->second;
    }
    if (found.lanes == 0) found.space = space;
    if (space != found.space) continue;
    found.lanes |= 1u << lane;
    found.remote |= lanes.remote & 1u << lane;
    found.at[lane] = space == Space::local ? at - lane * warp.local_stride : at;
  }
  found.operation = op;
  found.rule = &rule;
  found.warp = warp.index;
  return number_of(block, found);
}

std::uint32_t TaintChecker::number_of(TaintedBlock& block, const TaintOrigin& origin) {
  const auto [place, fresh] = block.origin_of.try_emplace(std::uint64_t{origin.warp} << 32 | origin.operation->index,
                                                          static_cast<std::uint32_t>(block.origins.size()));
  if (fresh)
    block.origins.push_back(origin);
  else
    block.origins[place->second] = origin;
  return place->second;
}

void TaintChecker::taint_outputs(WarpState& warp, const Operation* op, const TaintRule& rule,
                                 const std::uint64_t* undefined, std::uint32_t origin) {
  if (!warp.tainted) begin_taint(warp);
  std::array<std::uint64_t, kWarpSize> bits;
  const bool list = op->count > 1;
  for (unsigned k = 0; k < op->count; ++k) {
    const std::uint32_t slot = list ? warp.program->lists[op->d + k] : op->d;
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      std::uint64_t value = widened(undefined[lane] >> (k * rule.element), rule.element);
      const bool spreads = rule.sign && rule.element < 8 && ((value >> (8 * rule.element - 1)) & 1) != 0;
      bits[lane] = spreads ? value | ~taint::mask_of(rule.element) : value;
    }
    // A narrow value fills its slot: the bits above are defined, or as its sign is.
    taint::write(warp, rule, slot, rule.outputs[0] == 8 ? 8 : 4, bits.data(), origin);
  }
}

void TaintChecker::load(WarpState& warp, const Operation* op, const TaintRule& rule) {
  if (warp.tainted) decide(warp, op, rule, op->a, op->flags.has_narrow_address() ? 4 : 8, warp.exec, Use::address);
  if (clearly_defined(warp, op, rule.element * op->count)) {
    if (warp.tainted) taint::define_outputs(warp, op, rule);
    return;
  }
  Lanes lanes;
  resolve(warp, op, rule.element * op->count, lanes);
  std::array<std::uint64_t, kWarpSize> undefined;
  if (find_undefined(warp, lanes, undefined.data())) {
    const std::uint32_t origin = origin_at(warp, op, rule, lanes, undefined.data());
    taint_outputs(warp, op, rule, undefined.data(), origin);
    return;
  }
  if (warp.tainted) taint::define_outputs(warp, op, rule);
}

/// The undefined bytes of each lane's value. @returns their origin
std::uint32_t TaintChecker::value_of(const WarpState& warp, const Operation* op, const TaintRule& rule,
                                     std::uint64_t* undefined) {
  std::fill_n(undefined, kWarpSize, 0);
  if (!warp.tainted) return 0;
  std::uint32_t origin = 0;
  std::array<std::uint64_t, kWarpSize> bits;
  for (unsigned k = 0; k < op->count; ++k) {
    const std::uint32_t slot = op->count == 1 ? op->b : warp.program->lists[op->b + k];
    if (!taint::any(warp, rule, slot, rule.inputs[1])) continue;
    taint::read(warp, rule, slot, rule.inputs[1], bits.data());
    for (std::uint32_t left = warp.exec; left != 0; left &= left - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(left));
      const std::uint64_t bytes = narrowed(bits[lane], rule.element);
      if (bytes == 0) continue;
      undefined[lane] |= bytes << (k * rule.element);
      if (origin == 0) origin = taint::origin(warp, rule, slot);
    }
  }
  return origin;
}

void TaintChecker::store(WarpState& warp, const Operation* op, const TaintRule& rule) {
  std::array<std::uint64_t, kWarpSize> undefined;
  std::uint32_t origin = 0;
  bool some = false;
  if (warp.tainted) {
    decide(warp, op, rule, op->a, op->flags.has_narrow_address() ? 4 : 8, warp.exec, Use::address);
    origin = value_of(warp, op, rule, undefined.data());
    some = std::any_of(undefined.begin(), undefined.end(), [](std::uint64_t bytes) { return bytes != 0; });
  }
  if (!some && clearly_defined(warp, op, rule.element * op->count)) return;
  Lanes lanes;
  resolve(warp, op, rule.element * op->count, lanes);
  if (!some) {
    write(warp, lanes, nullptr, 0);
    return;
  }
  // A store to global memory is an output.
  std::uint32_t outputs = 0;
  for (std::uint32_t left = warp.exec & ~(lanes.shared | lanes.local | lanes.remote); left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    if (op->space == Space::local || op->space == Space::shared) break;
    if (undefined[lane] != UndefinedBits::mask(lanes.bytes)) continue;
    outputs |= 1u << lane;
    undefined[lane] = 0;
  }
  if (outputs != 0) report(warp, op, rule, Use::store, outputs, origin);
  write(warp, lanes, undefined.data(), origin);
}

void TaintChecker::atomic(WarpState& warp, const Operation* op, const TaintRule& rule) {
  if (warp.tainted) {
    decide(warp, op, rule, op->a, op->flags.has_narrow_address() ? 4 : 8, warp.exec, Use::address);
    const auto decide_each = [&](std::uint32_t operand, std::uint8_t size) {
      for (unsigned k = 0; k < op->count; ++k)
        decide(warp, op, rule, op->count == 1 ? operand : warp.program->lists[operand + k], size, warp.exec,
               Use::atomic);
    };
    decide_each(op->b, rule.inputs[1]);
    if (op->atomic == ptx::AtomicOp::cas) decide_each(op->c, rule.inputs[2]);
  }
  Lanes lanes;
  const std::uint32_t bytes = rule.element * op->count;
  const bool clear = clearly_defined(warp, op, bytes);
  std::array<std::uint64_t, kWarpSize> undefined;
  if (!clear) resolve(warp, op, bytes, lanes);
  if (clear || !find_undefined(warp, lanes, undefined.data())) {
    if (warp.tainted) taint::define_outputs(warp, op, rule);
    return;
  }
  std::uint32_t found = 0;
  for (std::uint32_t left = warp.exec; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    const Lanes one = lanes.only(lane);
    // The first of several lanes at one address reads the old value.
    std::array<std::uint64_t, kWarpSize> now;
    undefined[lane] = find_undefined(warp, one, now.data()) ? now[lane] : 0;
    if (undefined[lane] == 0) continue;
    found |= 1u << lane;
    write(warp, one, nullptr, 0);
  }
  const bool answers = op->d != kNoOperand && rule.outputs[0] != 0;
  if (found != 0 && !rule.exchanges) {
    const auto lane = static_cast<unsigned>(std::countr_zero(found));
    const bool shared = ((lanes.shared >> lane) & 1) != 0;
    std::uint32_t from = 0;
    if (shared) {
      const auto stored = warp.taint->block->stored.find(key_of(Space::shared, 0, lanes.at[lane]));
      if (stored != warp.taint->block->stored.end()) from = stored->second;
    }
    const bool remote = ((lanes.remote >> lane) & 1) != 0;
    report(warp, op, rule, Use::atomic_place, found, from, shared || remote ? Space::shared : Space::global,
           lanes.at[lane]);
  }
  if (found != 0 && rule.exchanges && answers) {
    const std::uint32_t origin = origin_at(warp, op, rule, lanes, undefined.data());
    taint_outputs(warp, op, rule, undefined.data(), origin);
  } else if (warp.tainted) {
    taint::define_outputs(warp, op, rule);
  }
}

void TaintChecker::end_image_reads(WarpState& warp, const Operation* op, const TaintRule& rule) {
  reads_image_ = false;
  Lanes lanes;
  std::array<std::uint64_t, kWarpSize> undefined = {};
  for (std::uint32_t left = image_lanes_ & warp.exec; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    undefined[lane] = 1;
    lanes.at[lane] = image_at_[lane];
    lanes.global |= 1u << lane;
  }
  if (lanes.global == 0) return;
  const std::uint32_t origin = origin_at(warp, op, rule, lanes, undefined.data());
  if (!warp.tainted) begin_taint(warp);
  std::array<std::uint64_t, kWarpSize> bits = {};
  for (unsigned lane = 0; lane < kWarpSize; ++lane) bits[lane] = undefined[lane] != 0 ? ~std::uint64_t{0} : 0;
  const std::uint32_t* const outputs = warp.program->lists.data() + op->d;
  const std::uint8_t size = ptx::size_of(warp.program->details[op->index].modifiers.types[0]) == 8 ? 8 : 4;
  for (unsigned k = 0; k < op->count; ++k)
    if (outputs[k] != kNoOperand) taint::write(warp, rule, outputs[k], size, bits.data(), origin);
}

void TaintChecker::check_copy(WarpState& warp, const Operation* op, const TaintRule& rule) {
  if (!warp.tainted) return;
  decide(warp, op, rule, op->a, op->flags.has_narrow_address() ? 4 : 8, warp.exec, Use::address);
  decide(warp, op, rule, op->b, 8, warp.exec, Use::address);
  if (rule.inputs[2] != 0 && op->c != kNoOperand) decide(warp, op, rule, op->c, rule.inputs[2], warp.exec, Use::branch);
}

void TaintChecker::printed(WarpState& warp, const Operation* op, unsigned lane, std::uint64_t address,
                           std::uint64_t bytes) {
  if (space_of(address) != Space::local) return;
  const std::uint64_t at = lane * warp.local_stride + (address - kLocalWindow);
  if (address - kLocalWindow + bytes > warp.local_stride) return;
  const std::uint64_t undefined = warp.taint->local.get(at, static_cast<unsigned>(bytes));
  if (undefined == 0) return;
  const auto& stored = warp.taint->block->stored;
  const auto origin =
      stored.find(key_of(Space::local, warp.index, at + static_cast<unsigned>(std::countr_zero(undefined))));
  report(warp, op, warp.program->taint_rules[op->index], Use::print, 1u << lane,
         origin == stored.end() ? 0 : origin->second);
}

void TaintChecker::copy_origins(WarpState& warp, std::uint64_t from, std::uint64_t to, unsigned bytes) {
  auto& stored = warp.taint->block->stored;
  if (stored.empty()) return;
  for (unsigned k = 0; k < bytes; k += 4) {
    const auto place = stored.find(key_of(Space::local, warp.index, from + k));
    if (place == stored.end()) continue;
    const std::uint32_t origin = place->second;
    stored[key_of(Space::local, warp.index, to + k)] = origin;
  }
}

void TaintChecker::start_copy(WarpState& warp, const Operation* op, const TaintRule& rule) {
  AsyncCopies::Copy& copy = warp.copies.latest();
  const auto* const from = reinterpret_cast<const std::uint64_t*>(warp.registers + op->b);
  const auto displacement = static_cast<std::uint64_t>(op->immediate >> 32);
  copy.undefined = {};
  Lanes lanes;
  lanes.bytes = copy.bytes;
  std::array<std::uint64_t, kWarpSize> undefined = {};
  std::uint64_t some = 0;
  for (std::uint32_t left = warp.exec; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    const std::uint64_t at = from[lane] + displacement - GlobalMemory::kBase;
    if (at >= kFollowed - copy.bytes || (at & (copy.bytes - 1)) != 0) continue;
    const bool sized = rule.inputs[2] != 0 && op->c != kNoOperand;
    const std::uint32_t asked =
        sized ? reinterpret_cast<const std::uint32_t*>(warp.registers + op->c)[lane] : copy.bytes;
    lanes.at[lane] = at;
    lanes.global |= 1u << lane;
    undefined[lane] = global_.get(at, copy.bytes) & UndefinedBits::mask(std::min(copy.bytes, asked));
    copy.undefined[lane] = static_cast<std::uint16_t>(undefined[lane]);
    some |= undefined[lane];
  }
  if (some == 0) return;
  // If these bytes are found to be undefined in shared memory, the report shows where they were read.
  const std::uint32_t origin = origin_at(warp, op, rule, lanes, undefined.data());
  for (std::uint32_t left = lanes.global; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    for (unsigned k = 0; k < copy.bytes; k += 4)
      if (((undefined[lane] >> k) & 15) != 0)
        warp.taint->block->stored[key_of(Space::shared, warp.index, std::uint64_t{copy.to[lane]} + k)] = origin;
  }
}

bool TaintChecker::may_load_undefined(const WarpState& warp, const Operation* op) {
  return warp.program->details[op->index].id == ptx::OperationId::ldmatrix &&
         (warp.taint->block->shared.any() || warp.state->cluster_blocks().size() > 1);
}

/// ldmatrix: lane l gets two elements of row l / 4, or of column l / 4, of each 8 x 8 matrix.
void TaintChecker::load_matrix(WarpState& warp, const Operation* op, const TaintRule& rule) {
  const ptx::Modifiers& m = warp.program->details[op->index].modifiers;
  const MatrixLines lines = matrix_lines(warp, op);
  const unsigned pieces = m.trans ? 2 : 1, bytes = 4 / pieces;
  for (unsigned r = 0; r < m.matrices; ++r) {
    const std::uint32_t slot = warp.program->lists[op->d + r];
    std::array<std::uint64_t, kWarpSize> bits{};
    std::uint32_t origin = 0;
    for (unsigned piece = 0; piece < pieces; ++piece) {
      Lanes lanes;
      lanes.bytes = bytes;
      for (unsigned lane = 0; lane < kWarpSize; ++lane) {
        const unsigned row = m.trans ? lane % 4 * 2 + piece : lane / 4, at = m.trans ? lane / 4 * 2 : lane % 4 * 4;
        resolve_shared(warp, lane, lines.address[8 * r + row] + at, lanes);
      }
      std::array<std::uint64_t, kWarpSize> undefined;
      if (!find_undefined(warp, lanes, undefined.data())) continue;
      origin = origin_at(warp, op, rule, lanes, undefined.data());
      for (unsigned lane = 0; lane < kWarpSize; ++lane) bits[lane] |= widened(undefined[lane], bytes) << (16 * piece);
    }
    if (origin != 0) {
      if (!warp.tainted) begin_taint(warp);
      taint::write(warp, rule, slot, 4, bits.data(), origin);
    } else if (warp.tainted) {
      taint::define(warp, rule, slot, 4);
    }
  }
}

}  // namespace warpbook::simulator

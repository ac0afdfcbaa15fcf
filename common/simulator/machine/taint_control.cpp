// The handlers placed in front of operations to propagate undefined bits; and calls, whose arguments and results are on
// the stack.
#include "common/simulator/machine/taint_control.h"

#include <bit>

#include "common/simulator/kernel/image_operations.h"
#include "common/simulator/machine/block_state.h"
#include "common/simulator/machine/control.h"
#include "common/simulator/machine/taint.h"

namespace warpbook::simulator {
namespace {

using Kind = TaintRule::Kind;
using Use = TaintChecker::Use;

const TaintRule& rule_of(const Warp& warp, const Operation* op) { return warp.program->taint_rules[op->index]; }

/// Copies the shadow of bytes from one frame to another, for each of @p lanes.
void copy_local(WarpState& warp, std::uint32_t lanes, std::uint32_t from, std::uint32_t to, std::uint32_t bytes) {
  UndefinedBits& local = warp.taint->local;
  if (!local.any()) return;
  for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
    const std::uint64_t base = static_cast<std::uint64_t>(std::countr_zero(left)) * warp.local_stride;
    for (std::uint32_t k = 0; k < bytes; k += 64) {
      const unsigned now = bytes - k < 64 ? bytes - k : 64;
      const std::uint64_t bits = local.get(base + from + k, now);
      local.assign(base + to + k, now, bits);
      if (bits != 0) warp.taint->checker->copy_origins(warp, base + from + k, base + to + k, now);
    }
  }
}

const Operation* spreads(Warp& warp, const Operation* op) {
  const TaintRule& rule = rule_of(warp, op);
  if (warp.tainted) [[unlikely]]
    warp.taint->checker->spread(state_of(warp), op, rule);
  return rule.handler(warp, op);
}

const Operation* spreads_among_lanes(Warp& warp, const Operation* op) {
  const TaintRule& rule = rule_of(warp, op);
  if (warp.tainted) [[unlikely]]
    warp.taint->checker->spread_among_lanes(state_of(warp), op, rule);
  return rule.handler(warp, op);
}

const Operation* shuffles(Warp& warp, const Operation* op) {
  const TaintRule& rule = rule_of(warp, op);
  if (warp.tainted || TaintChecker::may_lack_sources(state_of(warp), op)) [[unlikely]] {
    if (warp.taint != nullptr) warp.taint->checker->spread_among_lanes(state_of(warp), op, rule);
  }
  return rule.handler(warp, op);
}

const Operation* accesses(Warp& warp, const Operation* op) {
  const TaintRule& rule = rule_of(warp, op);
  WarpTaint* const taint = warp.taint;
  if (taint == nullptr) return rule.handler(warp, op);
  WarpState& state = state_of(warp);
  switch (rule.kind) {
    case Kind::load:
      taint->checker->load(state, op, rule);
      break;
    case Kind::store:
      taint->checker->store(state, op, rule);
      break;
    case Kind::atomic:
      taint->checker->atomic(state, op, rule);
      break;
    default: {
      taint->checker->check_copy(state, op, rule);
      const Operation* const next = rule.handler(warp, op);
      if (next != nullptr) taint->checker->start_copy(state, op, rule);
      return next;
    }
  }
  return rule.handler(warp, op);
}

/// Lanes that have to wait for others execute this again together with them.
const Operation* passes_matrices(Warp& warp, const Operation* op) {
  const TaintRule& rule = rule_of(warp, op);
  if (warp.taint == nullptr || warp.exec != kFullMask) return rule.handler(warp, op);
  TaintChecker& checker = *warp.taint->checker;
  checker.stored_matrix(state_of(warp), op);
  if (warp.tainted || TaintChecker::may_load_undefined(state_of(warp), op)) [[unlikely]]
    checker.matrix(state_of(warp), op, rule);
  return rule.handler(warp, op);
}

const Operation* passes_images(Warp& warp, const Operation* op) {
  const TaintRule& rule = rule_of(warp, op);
  if (warp.tainted) [[unlikely]]
    warp.taint->checker->image(state_of(warp), op, rule);
  if (warp.taint == nullptr || !reads_image(warp.program->details[op->index].id)) return rule.handler(warp, op);
  warp.taint->checker->begin_image_reads();
  const Operation* const next = rule.handler(warp, op);
  warp.taint->checker->end_image_reads(state_of(warp), op, rule);
  return next;
}

/// The guard of an operation that only some lanes execute.
const Operation* passes_guard(Warp& warp, const Operation* op) {
  if (warp.tainted) [[unlikely]]
    warp.taint->checker->decide(state_of(warp), op, rule_of(warp, op), op->guard, TaintRule::kPredicate, warp.active,
                                Use::branch);
  static const Handler guard = handler_set().guard;
  return guard(warp, op);
}

const Operation* branches(Warp& warp, const Operation* op) {
  const TaintRule& rule = rule_of(warp, op);
  if (warp.tainted) [[unlikely]] {
    TaintChecker& checker = *warp.taint->checker;
    if (rule.kind == Kind::indexed_branch)
      checker.decide(state_of(warp), op, rule, op->a, 4, warp.active, Use::branch);
    else if (rule.kind == Kind::block_vote)
      checker.decide(state_of(warp), op, rule, op->c, TaintRule::kPredicate, warp.exec, Use::vote);
    else
      checker.decide(state_of(warp), op, rule, op->guard, TaintRule::kPredicate, warp.active, Use::branch);
    taint::define_outputs(warp, op, rule);
  }
  return rule.handler(warp, op);
}

const Operation* calls(Warp& warp, const Operation* op) {
  const TaintRule& rule = rule_of(warp, op);
  WarpState& state = state_of(warp);
  if (warp.taint == nullptr) return rule.handler(warp, op);
  if (warp.tainted && rule.kind == Kind::indirect_call)
    warp.taint->checker->decide(state, op, rule, op->a, 8, warp.active, Use::address);
  const Frame* const caller = state.frame;
  const Operation* const next = rule.handler(warp, op);
  if (next == nullptr || state.frame == caller || state.frame->caller != caller) return next;
  const Frame& callee = *state.frame;
  const std::uint32_t bytes = callee.function->local_bytes;
  UndefinedBits& local = warp.taint->local;
  for (std::uint32_t left = state.active; left != 0; left &= left - 1)
    local.set(static_cast<std::uint64_t>(std::countr_zero(left)) * warp.local_stride + callee.local_base, bytes, true);
  for (const CallSite::Copy& copy : callee.site->arguments) {
    copy_local(state, state.active, caller->local_base + copy.from, callee.local_base + copy.to, copy.bytes);
  }
  if (!callee.function->cleared.empty() && !warp.tainted) warp.taint->checker->begin_taint(state);
  if (warp.tainted) taint::clear_shadow(callee);
  if (!callee.function->cleared.empty()) taint::undefine_unwritten(callee);
  return next;
}

const Operation* returns(Warp& warp, const Operation* op) {
  const TaintRule& rule = rule_of(warp, op);
  WarpState& state = state_of(warp);
  if (warp.taint == nullptr) return rule.handler(warp, op);
  const Frame& callee = *state.frame;
  for (const CallSite::Copy& copy : callee.site->returns)
    copy_local(state, warp.exec, callee.local_base + copy.from, callee.caller->local_base + copy.to, copy.bytes);
  return rule.handler(warp, op);
}

const Operation* calls_system(Warp& warp, const Operation* op) {
  const TaintRule& rule = rule_of(warp, op);
  if (warp.taint == nullptr) return rule.handler(warp, op);
  const CallSite& site = warp.program->calls[static_cast<std::size_t>(op->immediate)];
  for (const CallSite::Copy& copy : site.returns)
    for (std::uint32_t left = warp.exec; left != 0; left &= left - 1)
      warp.taint->local.set(
          static_cast<std::uint64_t>(std::countr_zero(left)) * warp.local_stride + warp.local_base + copy.to,
          copy.bytes, false);
  return rule.handler(warp, op);
}

}  // namespace

Handler tainting_handler(Kind kind) {
  switch (kind) {
    case Kind::none:
      return nullptr;
    case Kind::shuffle:
      return shuffles;
    case Kind::vote:
    case Kind::ballot:
    case Kind::among_lanes:
      return spreads_among_lanes;
    case Kind::load:
    case Kind::store:
    case Kind::atomic:
    case Kind::copy:
      return accesses;
    case Kind::matrix:
      return passes_matrices;
    case Kind::image:
      return passes_images;
    case Kind::branch:
    case Kind::indexed_branch:
    case Kind::block_vote:
      return branches;
    case Kind::call:
    case Kind::indirect_call:
      return calls;
    case Kind::ret:
      return returns;
    case Kind::system_call:
      return calls_system;
    default:
      return spreads;
  }
}

Handler tainting_guard() { return passes_guard; }

}  // namespace warpbook::simulator

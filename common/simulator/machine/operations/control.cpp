// Handlers of barriers and of control operations that the decoder does not handle itself.
#include "common/simulator/machine/control.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>

#include "common/simulator/machine/block_state.h"
#include "common/simulator/machine/operations/handlers.h"
#include "common/simulator/machine/taint.h"

namespace warpbook::simulator::operations::WB_ISA {
namespace {

std::uint32_t leader_value(Warp& warp, std::uint32_t slot, std::uint32_t otherwise) {
  if (slot == kNoOperand) return otherwise;
  return slots<std::uint32_t>(warp, slot)[std::countr_zero(warp.exec)];
}

/// bar.sync, bar.arrive and bar.red: a = number, b = threads (optional), c = predicate (red).
template <bool Waits, bool Votes>
const Operation* barrier(Warp& warp, const Operation* op) {
  WarpState& state = state_of(warp);
  const unsigned lane = static_cast<unsigned>(std::countr_zero(warp.exec));
  const std::uint32_t number = leader_value(warp, op->a, 0);
  const std::uint32_t expected = leader_value(warp, op->b, 0);
  if (number >= BlockState::kBarriers) {
    return raise(warp, op, FaultKind::divergent_barrier, lane, 0, 0, false,
                 "barrier " + std::to_string(number) + " does not exist: a block has barriers 0 to 15");
  }
  std::uint32_t votes = 0;
  if constexpr (Votes) votes = predicate_input(warp, op, op->c, 2) & warp.exec;
  return state.state->arrive(state, number, expected, votes, Waits, op);
}

const Operation* warp_barrier(Warp& warp, const Operation* op) {
  WarpState& state = state_of(warp);
  if (warp.active == warp.live || state.synchronised) return op + 1;
  const std::uint32_t* mask = slots<std::uint32_t>(warp, op->a);
  std::uint32_t named = 0;
  for (std::uint32_t rest = warp.exec; rest != 0; rest &= rest - 1) named |= mask[std::countr_zero(rest)];
  if ((named & warp.live & ~warp.active) == 0) return op + 1;
  Waiting reason;
  reason.path.next = op;
  reason.lanes = named;
  reason.masks = mask;
  return state.wait(reason);
}

const Operation* trap(Warp& warp, const Operation* op) {
  return raise(warp, op, FaultKind::trap, static_cast<unsigned>(std::countr_zero(warp.exec)), 0, 0, false,
               "the kernel stopped itself (trap)");
}

const Operation* brkpt(Warp& warp, const Operation* op) {
  return raise(warp, op, FaultKind::trap, static_cast<unsigned>(std::countr_zero(warp.exec)), 0, 0, false,
               "the kernel reached a breakpoint and no debugger is attached");
}

/// The longest sleep observed on an H200 (2026-11-21).
constexpr std::uint32_t kLongestSleep = 1048300;

/// A sleeping warp lets others run and advances the clock.
const Operation* sleep(Warp& warp, const Operation* op) {
  const std::uint32_t time = std::min(leader_value(warp, op->a, 0), kLongestSleep);
  warp.worker->steps += time;
  warp.worker->counters.slept += time;
  return state_of(warp).give_way(op + 1);
}

/// Where each lane's part of the current frame ends.
StackEnds& stack_ends(WarpState& state) {
  Frame& frame = *state.frame;
  if (frame.ends == nullptr) {
    frame.ends = std::make_unique<StackEnds>();
    frame.ends->fill(frame.declared_end());
  }
  return *frame.ends;
}

/// Alignment of alloca's memory if the instruction gives none (PTX manual).
constexpr std::uint64_t kUsualAlignment = 8;

/// a = bytes; immediate = alignment, a power of two, or 0 if none is given. The new memory is uninitialised.
const Operation* take_stack(Warp& warp, const Operation* op) {
  WarpState& state = state_of(warp);
  StackEnds& ends = stack_ends(state);
  const std::uint64_t alignment = op->immediate == 0 ? kUsualAlignment : static_cast<std::uint64_t>(op->immediate);
  const auto* sizes = slots<std::uint64_t>(warp, op->a);
  for (std::uint32_t left = warp.exec; left != 0; left &= left - 1) {
    const unsigned lane = static_cast<unsigned>(std::countr_zero(left));
    const std::uint64_t start = (ends[lane] + alignment - 1) / alignment * alignment, bytes = sizes[lane];
    if (start > warp.local_stride || bytes > warp.local_stride - start) {
      return raise(warp, op, FaultKind::stack_overflow, lane, 0, 0, false,
                   "alloca of " + std::to_string(bytes) + " bytes needs more stack than the " +
                       std::to_string(warp.local_stride) + " bytes a thread has (cudaLimitStackSize), of which " +
                       std::to_string(ends[lane]) + " are taken");
    }
    const std::uint64_t at = lane * warp.local_stride + start;
    std::memset(warp.local + at, kPoison, bytes);
    if (warp.taint != nullptr) warp.taint->local.set(at, bytes, true);
    slots<std::uint64_t>(warp, op->d)[lane] = start;
    ends[lane] = static_cast<std::uint32_t>(start + bytes);
  }
  return op + 1;
}

const Operation* save_stack(Warp& warp, const Operation* op) {
  const StackEnds& ends = stack_ends(state_of(warp));
  for (std::uint32_t left = warp.exec; left != 0; left &= left - 1) {
    const unsigned lane = static_cast<unsigned>(std::countr_zero(left));
    slots<std::uint64_t>(warp, op->d)[lane] = ends[lane];
  }
  return op + 1;
}

/// a = the value that stacksave returned in this call of the function.
const Operation* restore_stack(Warp& warp, const Operation* op) {
  WarpState& state = state_of(warp);
  StackEnds& ends = stack_ends(state);
  for (std::uint32_t left = warp.exec; left != 0; left &= left - 1) {
    const unsigned lane = static_cast<unsigned>(std::countr_zero(left));
    const std::uint64_t to = slots<std::uint64_t>(warp, op->a)[lane];
    if (to < state.frame->declared_end() || to > ends[lane]) {
      return raise(warp, op, FaultKind::illegal, lane, to, 0, false,
                   "stackrestore to " + std::to_string(to) +
                       ", which no stacksave in this call returned: its stack is from " +
                       std::to_string(state.frame->declared_end()) + " to " + std::to_string(ends[lane]));
    }
    ends[lane] = static_cast<std::uint32_t>(to);
  }
  return op + 1;
}

const Operation* nothing(Warp&, const Operation* op) { return op + 1; }

}  // namespace

// The decoder sets the handlers of these; here they only exist as rows.
Handler resolve_bra(const Modifiers&) { return nothing; }
Handler resolve_brx_idx(const Modifiers&) { return nothing; }
Handler resolve_call(const Modifiers&) { return nothing; }
Handler resolve_ret(const Modifiers&) { return nothing; }
Handler resolve_exit(const Modifiers&) { return nothing; }

Handler resolve_trap(const Modifiers&) { return trap; }
Handler resolve_brkpt(const Modifiers&) { return brkpt; }
Handler resolve_alloca(const Modifiers&) { return take_stack; }
Handler resolve_stacksave(const Modifiers&) { return save_stack; }
Handler resolve_stackrestore(const Modifiers&) { return restore_stack; }
Handler resolve_nanosleep(const Modifiers&) { return sleep; }
Handler resolve_pmevent(const Modifiers&) { return nothing; }
Handler resolve_bar_warp_sync(const Modifiers&) { return warp_barrier; }
Handler resolve_bar_sync(const Modifiers&) { return barrier<true, false>; }
Handler resolve_bar_arrive(const Modifiers&) { return barrier<false, false>; }
Handler resolve_bar_red_popc(const Modifiers&) { return barrier<true, true>; }
Handler resolve_bar_red_pred(const Modifiers&) { return barrier<true, true>; }
Handler resolve_barrier_sync(const Modifiers&) { return barrier<true, false>; }
Handler resolve_barrier_arrive(const Modifiers&) { return barrier<false, false>; }
Handler resolve_barrier_red_popc(const Modifiers&) { return barrier<true, true>; }
Handler resolve_barrier_red_pred(const Modifiers&) { return barrier<true, true>; }

}  // namespace warpbook::simulator::operations::WB_ISA

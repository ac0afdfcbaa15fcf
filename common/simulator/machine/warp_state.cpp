// Divergence, reconvergence, calls and waiting of one warp.
#include "common/simulator/machine/warp_state.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <new>

#include "common/simulator/machine/block_state.h"
#include "common/simulator/machine/checker.h"
#include "common/simulator/machine/taint_rule.h"

namespace warpbook::simulator {
namespace {

/// Written field by field, because resume() reads it that way: a path that is built elsewhere and copied would be read
/// before it has reached the cache.
void add(std::vector<Path>& ready, const Operation* next, std::uint32_t mask, std::int32_t join, Frame* frame) {
  Path& path = ready.emplace_back();
  path.next = next;
  path.mask = mask;
  path.join = join;
  path.frame = frame;
}

}  // namespace

void WarpState::start(std::uint32_t lanes, const Operation* first) {
  live = lanes;
  ready.clear();
  waiting.clear();
  joins.clear();
  free_joins.clear();
  free_frames.clear();
  for (const auto& used : frames) free_frames.push_back(used.get());
  steps = polls = 0;
  no_other_path_since = 0;
  running = false;
  stop = Stop::none;
  copies.clear();
  bulk_groups.clear();
  arrived_at_cluster = impatient = 0;
  parts = 1;
  rests = false;
  root.ends.reset();
  add(ready, first, lanes, -1, &root);
}

void WarpState::part(std::uint32_t lanes) {
  Path& all = ready.back();
  if ((all.mask & lanes) == 0 || (all.mask & ~lanes) == 0) return;
  parts = 2;
  Path other = all;
  other.mask &= lanes;
  all.mask &= ~lanes;
  ready.push_back(other);
}

std::int32_t WarpState::new_join(const Join& value) {
  if (!free_joins.empty()) {
    const std::int32_t index = free_joins.back();
    free_joins.pop_back();
    joins[static_cast<std::size_t>(index)] = value;
    return index;
  }
  joins.push_back(value);
  return static_cast<std::int32_t>(joins.size()) - 1;
}

void WarpState::end_join(std::int32_t index) {
  Join& done = joins[static_cast<std::size_t>(index)];
  if (done.callee != nullptr) free_frames.push_back(done.callee);
  done = Join{};
  free_joins.push_back(index);
}

bool WarpState::at_join(std::int32_t index, const Operation* place) const {
  return index >= 0 && joins[static_cast<std::size_t>(index)].at == place &&
         joins[static_cast<std::size_t>(index)].frame == frame;
}

void WarpState::split_off(std::uint32_t mask, const Operation* next, std::int32_t to_join) {
  if (at_join(to_join, next))
    joins[static_cast<std::size_t>(to_join)].arrived |= mask;
  else
    add(ready, next, mask, to_join, frame);
}

namespace {

/// Switches to the next path within the same turn: a warp whose paths split and join in each iteration of a loop would
/// otherwise begin a new turn each time and never yield. Once in so many steps the turn is not extended.
const Operation* resume_in_turn(WarpState& warp) {
  constexpr unsigned kStepsShift = 20;
  const std::uint64_t end = warp.turn_end, begun = end > warp.turn ? end - warp.turn : 0;
  const Operation* const next = warp.resume();
  if (begun >> kStepsShift < warp.steps >> kStepsShift) warp.turn_end = std::min(warp.turn_end, end);
  return next;
}

}  // namespace

const Operation* WarpState::diverge(std::uint32_t taken, const Operation* target, const Operation* next,
                                    const Operation* reconvergence) {
  const std::uint32_t fallen = active & ~taken;
  if (reconvergence != nullptr && !at_join(join, reconvergence)) {
    set_join(new_join({reconvergence, active, 0, join, frame, nullptr}));
  }
  // Lanes that fall through run first, lanes that branch wait. A path that is at the join already runs no further.
  split_off(taken, target, join);
  if (at_join(join, next)) {
    joins[static_cast<std::size_t>(join)].arrived |= fallen;
    return resume_in_turn(*this);
  }
  active = exec = fallen;
  return next;
}

void WarpState::complete(std::int32_t index) {
  const Join& done = joins[static_cast<std::size_t>(index)];
  const Operation* const at = done.at;
  const std::uint32_t arrived = done.arrived;
  const std::int32_t above = done.parent;
  Frame* const in = done.frame;
  end_join(index);
  if (above >= 0) {
    Join& parent = joins[static_cast<std::size_t>(above)];
    if (parent.at == at && parent.frame == in) {
      parent.arrived |= arrived;
      if (parent.arrived == parent.expected) complete(above);
      return;
    }
  }
  add(ready, at, arrived, above, in);
}

const Operation* WarpState::arrive() {
  Join& meeting = joins[static_cast<std::size_t>(join)];
  meeting.arrived |= active;
  running = false;
  if (meeting.arrived == meeting.expected) complete(join);
  return resume_in_turn(*this);
}

void WarpState::forget(std::int32_t from, std::uint32_t mask, std::int32_t until) {
  for (std::int32_t index = from; index >= 0 && index != until;) {
    Join& passed = joins[static_cast<std::size_t>(index)];
    const std::int32_t parent = passed.parent;
    passed.expected &= ~mask;
    if (passed.expected == 0)
      end_join(index);
    else if (passed.arrived == passed.expected)
      complete(index);
    index = parent;
  }
}

const Operation* WarpState::leave(std::uint32_t mask, const Operation* next) {
  live &= ~mask;
  if (state->checked) worker->checker->left(*this, mask);
  state->exited(lanes_in(mask));
  const std::uint32_t rest = active & ~mask;
  const std::int32_t from = join;
  if (rest != 0) {
    forget(from, mask, -1);
    active = exec = rest;
    if (!waiting.empty()) release_synchronised();
    return next;
  }
  running = false;
  forget(from, mask, -1);
  if (!waiting.empty()) release_synchronised();
  return resume();
}

const Operation* WarpState::return_from(std::uint32_t mask, const Operation* next) {
  const Frame& callee = *frame;
  const std::int32_t target = callee.join;
  // Return values are copied lane by lane from the callee's frame to the caller's.
  for (const CallSite::Copy& copy : callee.site->returns) {
    for (std::uint32_t lanes = mask; lanes != 0; lanes &= lanes - 1) {
      std::byte* base = local + static_cast<std::uint64_t>(std::countr_zero(lanes)) * local_stride;
      std::memcpy(base + callee.caller->local_base + copy.to, base + callee.local_base + copy.from, copy.bytes);
    }
  }
  const std::uint32_t rest = active & ~mask;
  forget(join, mask, target);
  Join& meeting = joins[static_cast<std::size_t>(target)];
  meeting.arrived |= mask;
  if (rest != 0) {
    active = exec = rest;
    return next;
  }
  running = false;
  if (meeting.arrived == meeting.expected) complete(target);
  return resume();
}

const Operation* WarpState::wait(Waiting reason) {
  reason.path = {reason.path.next, active, join, frame};
  reason.callers = exec;
  const bool lanes_only = reason.barrier < 0;
  waiting.push_back(reason);
  running = false;
  if (lanes_only) release_synchronised();
  return stop == Stop::fault ? nullptr : resume();
}

const Operation* WarpState::wait_for(std::int32_t barrier, const Operation* next) {
  waiting.push_back({{next, active, join, frame}, barrier, 0});
  running = false;
  return resume();
}

std::uint32_t WarpState::release(std::int32_t barrier) {
  std::uint32_t lanes = 0;
  std::erase_if(waiting, [&](const Waiting& path) {
    if (path.barrier != barrier) return false;
    ready.push_back(path.path);
    lanes |= path.path.mask;
    return true;
  });
  return lanes;
}

const Operation* WarpState::give_way(const Operation* next) {
  ready.insert(ready.begin(), {next, active, join, frame});
  running = false;
  if (ready.size() <= parts && steps - no_other_path_since > patience) {
    break_join();
    no_other_path_since = steps;
  } else if (ready.size() > parts) {
    no_other_path_since = steps;
  }
  stop = Stop::yield;
  return nullptr;
}

bool WarpState::break_join() {
  bool broken = false;
  for (Join& meeting : joins) {
    if (meeting.at == nullptr || meeting.arrived == 0 || meeting.callee != nullptr) continue;
    ready.push_back({meeting.at, meeting.arrived, meeting.parent, meeting.frame});
    meeting.expected &= ~meeting.arrived;
    meeting.arrived = 0;
    broken = true;
  }
  return broken;
}

std::uint32_t WarpState::synchronised_paths() const {
  // The largest set of waiting paths in which each lane finds all lanes that it names, except exited ones, and these
  // name the same lanes (PTX ISA, "bar.warp.sync": all execute it with the same mask).
  const std::size_t count = std::min<std::size_t>(waiting.size(), kWarpSize);
  std::uint32_t chosen = 0, callers = 0;
  std::array<std::uint32_t, kWarpSize> named = {};
  for (std::size_t i = 0; i < count; ++i) {
    if (waiting[i].barrier >= 0) continue;
    chosen |= 1u << i;
    callers |= waiting[i].callers;
    for (std::uint32_t left = waiting[i].callers; left != 0; left &= left - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(left));
      named[lane] = (waiting[i].masks == nullptr ? waiting[i].lanes : waiting[i].masks[lane]) & live;
    }
  }
  for (bool changed = true; changed && chosen != 0;) {
    changed = false;
    std::uint32_t candidates = 0;
    for (std::uint32_t rest = chosen; rest != 0; rest &= rest - 1)
      candidates |= waiting[static_cast<std::size_t>(std::countr_zero(rest))].path.mask;
    std::uint32_t lacking = 0;  // Lanes that do not find all that they name.
    for (std::uint32_t rest = candidates & callers; rest != 0;) {
      const std::uint32_t wanted = named[static_cast<unsigned>(std::countr_zero(rest))];
      std::uint32_t group = 0;
      for (std::uint32_t left = rest; left != 0; left &= left - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(left));
        if (named[lane] == wanted) group |= 1u << lane;
      }
      if ((wanted & ~group & (callers | ~candidates)) != 0) lacking |= group;
      rest &= ~group;
    }
    for (std::uint32_t rest = chosen; rest != 0; rest &= rest - 1) {
      const auto i = static_cast<unsigned>(std::countr_zero(rest));
      if ((waiting[i].path.mask & lacking) == 0) continue;
      chosen &= ~(1u << i);
      changed = true;
    }
  }
  return chosen;
}

void WarpState::release_synchronised() {
  const std::uint32_t chosen = synchronised_paths();
  if (chosen == 0) return;
  std::vector<Waiting> kept, released;
  for (std::size_t i = 0; i < waiting.size(); ++i) {
    (i < 32 && ((chosen >> i) & 1) != 0 ? released : kept).push_back(waiting[i]);
  }
  waiting = std::move(kept);
  run_together(released);
}

void WarpState::run_together(std::vector<Waiting>& released) {
  const Path current{nullptr, active, join, frame};
  const bool was_running = running;
  synchronised = true;
  std::uint32_t done = 0;
  for (std::size_t i = 0; i < released.size() && stop != Stop::fault; ++i) {
    if (((done >> i) & 1) != 0) continue;
    // Paths that wait at the same instruction execute it once, for all their lanes.
    Path together = released[i].path;
    for (std::size_t k = i + 1; k < released.size(); ++k) {
      if (released[k].path.next != together.next || released[k].path.frame != together.frame) continue;
      together.mask |= released[k].path.mask;
      done |= 1u << k;
    }
    set_current(together);
    together.next->handler(*this, together.next);
  }
  synchronised = false;
  for (std::size_t i = released.size(); i-- > 0;) {
    ready.push_back({released[i].path.next + 1, released[i].path.mask, released[i].path.join, released[i].path.frame});
  }
  set_current(current);
  running = was_running;
}

std::uint32_t Frame::end(std::uint32_t lanes) const {
  if (ends == nullptr) return declared_end();
  std::uint32_t furthest = declared_end();
  for (; lanes != 0; lanes &= lanes - 1)
    furthest = std::max(furthest, (*ends)[static_cast<unsigned>(std::countr_zero(lanes))]);
  return (furthest + 15) / 16 * 16;
}

const Operation* WarpState::enter(const Function& function, const CallSite* site, const Operation* back) {
  if (std::uint64_t{frame->end(active)} + function.local_bytes > local_stride) {
    return raise(*this, back - 1, FaultKind::stack_overflow, static_cast<unsigned>(std::countr_zero(active)), 0, 0,
                 false,
                 "the call of " + function.name + " needs more stack than the " + std::to_string(local_stride) +
                     " bytes a thread has (cudaLimitStackSize)");
  }
  Frame* callee = push_frame(function, site, frame);
  for (const CallSite::Copy& copy : site->arguments) {
    for (std::uint32_t lanes = active; lanes != 0; lanes &= lanes - 1) {
      std::byte* base = local + static_cast<std::uint64_t>(std::countr_zero(lanes)) * local_stride;
      std::memcpy(base + callee->local_base + copy.to, base + frame->local_base + copy.from, copy.bytes);
    }
  }
  for (std::uint32_t lanes = active; lanes != 0 && function.local_bytes != 0; lanes &= lanes - 1) {
    std::byte* base = local + static_cast<std::uint64_t>(std::countr_zero(lanes)) * local_stride + callee->local_base;
    const std::uint32_t given =
        function.parameters.empty() ? 0 : function.parameters.back().offset + function.parameters.back().bytes;
    std::memset(base + given, kPoison, function.local_bytes - given);
  }
  callee->join = new_join({back, active, 0, join, frame, callee});
  set_current({nullptr, active, callee->join, callee});
  return program->code.data() + program->code_of[function.begin];
}

Frame* WarpState::push_frame(const Function& function, const CallSite* site, Frame* caller) {
  if (free_frames.empty()) {
    frames.push_back(std::make_unique<Frame>());
    free_frames.push_back(frames.back().get());
  }
  Frame* fresh = free_frames.back();
  if (fresh->function != &function) {
    const std::uint32_t bytes =
        taint == nullptr ? function.register_bytes : tainted_frame_bytes(function.register_bytes);
    fresh->storage.reset(static_cast<std::byte*>(std::aligned_alloc(64, (bytes + 127) / 64 * 64)));
    fresh->registers = fresh->storage.get();
    if (fresh->registers == nullptr) throw std::bad_alloc();
    fresh->function = &function;
  }
  free_frames.pop_back();
  fresh->caller = caller;
  fresh->site = site;
  fresh->ends.reset();
  fresh->local_base = caller->end(active);
  fill_presets(*this, function, fresh->registers, fresh->local_base);
  for (const Function::Slot& slot : function.cleared) std::memset(fresh->registers + slot.offset, 0, slot.bytes);
  return fresh;
}

}  // namespace warpbook::simulator

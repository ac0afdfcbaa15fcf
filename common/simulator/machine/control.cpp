// Block entries, guards, branches, calls, exits.
#include "common/simulator/machine/control.h"

#include <bit>

#include "common/simulator/machine/block_state.h"
#include "common/simulator/machine/operations/table.h"

namespace warpbook::simulator {
namespace {

const Operation* at(const Warp& warp, std::int64_t index) { return warp.program->code.data() + index; }

std::uint32_t& predicate(Warp& warp, std::uint32_t offset) {
  return *reinterpret_cast<std::uint32_t*>(warp.registers + offset);
}

std::uint32_t passing(Warp& warp, const Operation* op) {
  if (op->guard == kNoOperand) return warp.active;
  const std::uint32_t value = predicate(warp, op->guard);
  return warp.active & (op->flags.negates_guard() ? ~value : value);
}

const Operation* block_entry(Warp& warp, const Operation* op) {
  WarpState& state = state_of(warp);
  if (state.meet == op) [[unlikely]]
    return state.arrive();
  Worker& worker = *warp.worker;
  if (state.steps >= state.turn_end) [[unlikely]] {
    state.turn_end = ~std::uint64_t{0};
    return state.give_way(op);
  }
  Worker::BlockCount& count = worker.block_counts[op->block];
  ++count.executions;
  count.threads += lanes_in(warp.active);
  state.steps += op->b;
  worker.steps += op->b;
  return op + 1;
}

const Operation* guard(Warp& warp, const Operation* op) {
  const std::uint32_t lanes = passing(warp, op);
  if (lanes == 0) return op + 1;
  warp.worker->guard_counts[op->index] += lanes_in(lanes);
  warp.exec = lanes;
  const Operation* next = op->guarded(warp, op);
  warp.exec = warp.active;
  return next;
}

const Operation* branch(Warp& warp, const Operation* op) {
  const std::uint32_t taken = passing(warp, op);
  Worker& worker = *warp.worker;
  BranchCounters& counters = worker.counters.branches[op->branch];
  ++counters.executed;
  worker.guard_counts[op->index] += lanes_in(taken);
  if (taken == warp.active) return at(warp, op->immediate);
  if (taken == 0) return op + 1;
  ++counters.divergent;
  return state_of(warp).diverge(taken, at(warp, op->immediate), op + 1,
                                op->b == kNoOperand ? nullptr : at(warp, op->b));
}

const Operation* indexed_branch(Warp& warp, const Operation* op) {
  WarpState& state = state_of(warp);
  const auto* index = reinterpret_cast<const std::uint32_t*>(warp.registers + op->a);
  const auto& table = warp.program->jump_tables[static_cast<std::size_t>(op->immediate)];
  BranchCounters& counters = warp.worker->counters.branches[op->branch];
  ++counters.executed;
  warp.worker->guard_counts[op->index] += lanes_in(warp.active);
  const Operation* reconvergence = op->b == kNoOperand ? nullptr : at(warp, op->b);
  for (bool diverged = false;;) {
    const unsigned leader = static_cast<unsigned>(std::countr_zero(warp.active));
    if (index[leader] >= table.size()) {
      return raise(warp, op, FaultKind::invalid_pc, leader, index[leader], 0, false,
                   "indexed branch to entry " + std::to_string(index[leader]) + " of " + std::to_string(table.size()));
    }
    std::uint32_t same = 0;
    for (std::uint32_t lanes = warp.active; lanes != 0; lanes &= lanes - 1) {
      const unsigned lane = static_cast<unsigned>(std::countr_zero(lanes));
      if (index[lane] == index[leader]) same |= 1u << lane;
    }
    const Operation* target = at(warp, warp.program->code_of[table[index[leader]]]);
    if (same == warp.active) return target;
    if (!diverged) ++counters.divergent;
    diverged = true;
    // The leader's target takes these lanes; the others stay here for the next round.
    const Operation* rest = state.diverge(same, target, op, reconvergence);
    if (rest != op) return rest;
  }
}

const Operation* call(Warp& warp, const Operation* op) {
  const CallSite& site = warp.program->calls[static_cast<std::size_t>(op->immediate)];
  const Function& function = warp.program->functions[static_cast<std::size_t>(site.function)];
  return state_of(warp).enter(function, &site, op + 1);
}

/// Arguments and results of the call lie in the function's frame. The call names a prototype, which may be wrong.
bool fits(const CallSite& site, const Function& function) {
  const auto ends = [&](std::uint32_t at, std::uint32_t bytes) {
    return std::uint64_t{at} + bytes <= function.local_bytes;
  };
  for (const CallSite::Copy& copy : site.arguments)
    if (!ends(copy.to, copy.bytes)) return false;
  for (const CallSite::Copy& copy : site.returns)
    if (!ends(copy.from, copy.bytes)) return false;
  return true;
}

const Operation* indirect_call(Warp& warp, const Operation* op) {
  WarpState& state = state_of(warp);
  const CallSite& site = warp.program->calls[static_cast<std::size_t>(op->immediate)];
  const auto* pointer = reinterpret_cast<const std::uint64_t*>(warp.registers + op->a);
  const unsigned leader = static_cast<unsigned>(std::countr_zero(warp.active));
  const std::uint64_t address = pointer[leader];
  const std::uint64_t index = (address - kCodeBase) / 16;
  const bool is_function = address >= kCodeBase && (address - kCodeBase) % 16 == 0 &&
                           index < warp.program->functions.size() && !warp.program->functions[index].entry;
  if (!is_function) {
    return raise(warp, op, FaultKind::invalid_pc, leader, address, 0, false,
                 "call through a pointer that does not point to a function");
  }
  if (!fits(site, warp.program->functions[index])) {
    return raise(
        warp, op, FaultKind::invalid_pc, leader, address, 0, false,
        "call of " + warp.program->functions[index].name + " with parameters that do not match its declaration");
  }
  std::uint32_t same = 0;
  for (std::uint32_t lanes = warp.active; lanes != 0; lanes &= lanes - 1) {
    const unsigned lane = static_cast<unsigned>(std::countr_zero(lanes));
    if (pointer[lane] == address) same |= 1u << lane;
  }
  if (same != warp.active) {
    // Lanes that call other functions wait after this call; they execute this operation on their own.
    const std::uint32_t others = warp.active & ~same;
    state.set_join(state.new_join({op + 1, warp.active, 0, state.join, state.frame, nullptr}));
    state.ready.push_back({op, others, state.join, state.frame});
    warp.active = warp.exec = same;
  }
  return state.enter(warp.program->functions[index], &site, op + 1);
}

const Operation* system_call(Warp& warp, const Operation* op) {
  return call_system(state_of(warp), op, warp.program->calls[static_cast<std::size_t>(op->immediate)]);
}

const Operation* ret(Warp& warp, const Operation* op) { return state_of(warp).return_from(warp.exec, op + 1); }

const Operation* exit(Warp& warp, const Operation* op) { return state_of(warp).leave(warp.exec, op + 1); }

const Operation* read_clock(Warp& warp, const Operation* op) {
  const Launch& launch = *warp.worker->launch;
  const std::uint64_t cycles = state_of(warp).state->clock();
  const std::uint64_t start = launch.start_ns * launch.clock_khz / 1000000;
  const std::uint64_t ns = launch.start_ns + cycles * 1000000 / launch.clock_khz;
  const std::uint64_t clock = start + cycles;
  const std::uint64_t values[] = {clock & 0xffffffffu, clock >> 32, clock, ns, ns & 0xffffffffu, ns >> 32};
  const std::uint64_t value = values[op->immediate];
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    if (op->count == 8)
      reinterpret_cast<std::uint64_t*>(warp.registers + op->d)[lane] = value;
    else
      reinterpret_cast<std::uint32_t*>(warp.registers + op->d)[lane] = static_cast<std::uint32_t>(value);
  }
  state_of(warp).steps += op->memory;
  warp.worker->steps += op->memory;
  return op + 1;
}

template <class To, class From>
const Operation* move_slot(Warp& warp, const Operation* op) {
  auto* d = reinterpret_cast<To*>(warp.registers + op->d);
  const auto* a = reinterpret_cast<const From*>(warp.registers + op->a);
  const std::uint32_t* on = warp.exec_words();
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    const To value = static_cast<To>(a[lane]);
    d[lane] = on[lane] != 0 ? value : d[lane];
  }
  return op + 1;
}

const Operation* unsupported(Warp& warp, const Operation* op) {
  return raise(warp, op, FaultKind::unsupported, static_cast<unsigned>(std::countr_zero(warp.exec)), 0, 0, false,
               warp.program->messages[static_cast<std::size_t>(op->immediate)]);
}

}  // namespace

const HandlerSet& handler_set() {
  static const HandlerSet set = [] {
    HandlerSet s;
    s.find = operations::find_handler;
    s.block_entry = block_entry;
    s.guard = guard;
    s.branch = branch;
    s.indexed_branch = indexed_branch;
    s.call = call;
    s.indirect_call = indirect_call;
    s.system_call = system_call;
    s.ret = ret;
    s.exit = exit;
    s.read_clock = read_clock;
    s.widen_unsigned = move_slot<std::uint64_t, std::uint32_t>;
    s.widen_signed = move_slot<std::int64_t, std::int32_t>;
    s.narrow = move_slot<std::uint32_t, std::uint64_t>;
    s.unsupported = unsupported;
    return s;
  }();
  return set;
}

const Operation* raise(Warp& warp, const Operation* operation, FaultKind kind, unsigned lane, std::uint64_t address,
                       std::uint32_t bytes, bool write, FaultText message) {
  Fault fault;
  fault.kind = kind;
  fault.operation = operation->index;
  fault.address = address;
  fault.bytes = bytes;
  fault.write = write;
  fault.message = std::move(message.text);
  fault.cause = message.cause;
  const Launch& launch = *warp.worker->launch;
  const std::uint64_t thread = std::uint64_t{warp.index} * kWarpSize + lane;
  for (int axis = 0; axis < 3; ++axis) fault.block[axis] = warp.block->index[axis];
  fault.thread[0] = static_cast<std::uint32_t>(thread % launch.block.x);
  fault.thread[1] = static_cast<std::uint32_t>(thread / launch.block.x % launch.block.y);
  fault.thread[2] = static_cast<std::uint32_t>(thread / launch.block.x / launch.block.y);
  warp.worker->fault = std::move(fault);
  warp.stop = Stop::fault;
  return nullptr;
}

}  // namespace warpbook::simulator

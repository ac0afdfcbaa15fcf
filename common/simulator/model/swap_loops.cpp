// Traces the conditions of a loop's branches back to what they are computed from.
#include "common/simulator/model/swap_loops.h"

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <unordered_set>
#include <utility>
#include <vector>

#include "common/simulator/model/machine_code.h"
#include "common/simulator/model/powers.h"
#include "common/simulator/model/work_totals.h"

namespace warpbook::simulator {
namespace {

constexpr std::size_t kLongestLoop = 32;  ///< Largest loop, in basic blocks, that is examined.

/// Operations [begin, end) of the innermost loop around a basic block; empty if there is none.
Program::Range innermost_loop(const Program& program, std::size_t block) {
  for (std::size_t last = block; last < program.blocks.size() && last < block + kLongestLoop; ++last) {
    const std::size_t first = loop_start(program, last);
    if (first <= block) return {program.blocks[first].begin, program.blocks[last].end};
  }
  return {0, 0};
}

bool sets(const Program& program, std::uint32_t index, std::uint32_t slot) {
  const Operation& operation = program.operations[index];
  if (operation.atomic != ptx::AtomicOp::none && operation.count > 1 && operation.d != kNoOperand) {
    const auto list = program.operation_lists.begin() + operation.d;
    return std::find(list, list + operation.count, slot) != list + operation.count;
  }
  return (operation.d == slot && !is_store(program.details[index].id)) || operation.e == slot;
}

/// The last operation of [begin, end) that sets @p slot; end if none does.
std::uint32_t last_to_set(const Program& program, std::uint32_t begin, std::uint32_t end, std::uint32_t slot) {
  for (std::uint32_t i = end; i > begin; --i)
    if (sets(program, i - 1, slot)) return i - 1;
  return end;
}

/// Traces slots from their uses. A slot has several values in turn: the last one before the use counts, and in a loop
/// that of the previous iteration.
class Uses {
 public:
  /// In long programs, tracing stops after this many values.
  static constexpr std::size_t kMost = 512;

  void add(std::uint32_t slot, std::uint32_t at) {
    if (slot != kNoOperand && seen_.size() < kMost && seen_.insert(std::uint64_t{slot} << 32 | at).second)
      open_.emplace_back(slot, at);
  }
  void add_operands(const Operation& operation, std::uint32_t at) {
    for (const std::uint32_t operand : {operation.a, operation.b, operation.c, operation.f, operation.guard})
      add(operand, at);
  }
  bool next(std::uint32_t& slot, std::uint32_t& at) {
    if (open_.empty()) return false;
    std::tie(slot, at) = open_.back();
    open_.pop_back();
    return true;
  }

 private:
  std::vector<std::pair<std::uint32_t, std::uint32_t>> open_;
  std::unordered_set<std::uint64_t> seen_;
};

/// Whether the condition of the branch at @p branch depends on the result of the operation at @p index, through the
/// operations of @p loop.
bool follows_from(const Program& program, const Program::Range& loop, std::uint32_t branch, std::uint32_t index) {
  Uses uses;
  uses.add(program.operations[branch].guard, branch);
  std::uint32_t slot = 0, at = 0;
  while (uses.next(slot, at)) {
    std::uint32_t set = last_to_set(program, loop.begin, at, slot);
    if (set == at) set = last_to_set(program, at, loop.end, slot);
    if (set == loop.end) continue;
    if (set == index) return true;
    if (program.details[set].pipe == ptx::Pipe::lsu) continue;  // Values from memory are not traced.
    uses.add_operands(program.operations[set], set);
  }
  return false;
}

/// Whether the condition of the branch at @p branch compares which of two values is larger, not whether they are equal.
bool compares_order(const Program& program, const Program::Range& loop, std::uint32_t branch) {
  const std::uint32_t set = last_to_set(program, loop.begin, branch, program.operations[branch].guard);
  if (set == branch) return false;
  switch (program.details[set].modifiers.compare) {
    case ptx::Compare::none:
    case ptx::Compare::eq:
    case ptx::Compare::ne:
    case ptx::Compare::equ:
    case ptx::Compare::neu:
      return false;
    default:
      return true;
  }
}

Program::Range loop_of(const Program& program, std::uint32_t index) {
  const auto block = std::find_if(program.blocks.begin(), program.blocks.end(), [&](const Program::Range& range) {
    return range.begin <= index && index < range.end;
  });
  if (block == program.blocks.end()) return {0, 0};
  return innermost_loop(program, static_cast<std::size_t>(block - program.blocks.begin()));
}

/// Whether other blocks may access this memory at the same time, according to the code.
bool is_for_others(const Operation& operation, const OperationDetail& detail) {
  if (operation.space != ptx::Space::global && operation.space != ptx::Space::generic) return false;
  return operation.atomic != ptx::AtomicOp::none || detail.modifiers.semantics != ptx::Semantics::weak;
}

double lanes_of(const KernelWork& work, std::uint32_t index) {
  return static_cast<double>(work.counters.instructions[index].thread_inst_executed_true);
}

/// Whether it polls a word in a loop that does nothing else.
bool is_look(const Program& program, std::uint32_t index) {
  const OperationDetail& detail = program.details[index];
  if (!is_for_others(program.operations[index], detail) || is_store(detail.id)) return false;
  if (program.operations[index].atomic == ptx::AtomicOp::cas || repeats(program, index) == Repeats::no) return false;
  const Program::Range loop = loop_of(program, index);
  for (std::uint32_t i = loop.begin; i < loop.end; ++i)
    if (i != index && program.details[i].pipe == ptx::Pipe::lsu) return false;
  return true;
}

bool is_of_lane(Preset::Kind kind) {
  return kind == Preset::Kind::tid_x || kind == Preset::Kind::tid_y || kind == Preset::Kind::tid_z ||
         kind == Preset::Kind::laneid || kind == Preset::Kind::warpid;
}

/// Whether another loop contains the loop @p inner.
bool is_in_outer_loop(const Program& program, const Program::Range& inner) {
  for (std::size_t last = 0; last < program.blocks.size(); ++last) {
    if (program.blocks[last].begin < inner.begin) continue;
    const std::size_t first = loop_start(program, last);
    if (first > last || program.blocks[first].begin > inner.begin) continue;
    if (program.blocks[first].begin < inner.begin || program.blocks[last].end > inner.end) return true;
  }
  return false;
}

/// Cycles of the longest path through operations (from, to) that all waiting lanes take: its memory accesses, one after
/// the other.
double cycles_between(const ModelConstants& model, const KernelWork& work, std::uint32_t from, std::uint32_t to,
                      double waits) {
  double cycles = 0;
  for (std::uint32_t i = from + 1; i < to; ++i) {
    if (lanes_of(work, i) < 0.5 * waits) continue;
    switch (work.program.details[i].id) {
      case ptx::OperationId::membar:
      case ptx::OperationId::fence:
        cycles += model.fence_latency;
        break;
      case ptx::OperationId::ld:
        if (work.program.operations[i].space == ptx::Space::global) cycles += model.l2_latency;
        break;
      default:
        break;
    }
  }
  return cycles;
}

/// Follows the address of an access back to what it comes from. @returns whether @p is_it says so of a preset, or
/// @p follow of an operation, which otherwise adds what that one uses
template <class IsPreset, class Follow>
bool comes_from(const KernelWork& work, std::uint32_t index, IsPreset is_it, Follow follow) {
  const Program& program = work.program;
  Uses uses;
  uses.add(program.operations[index].a, index);
  std::uint32_t slot = 0, at = 0;
  while (uses.next(slot, at)) {
    const std::uint32_t before = last_to_set(program, work.function.begin, at, slot);
    if (before == at)
      for (const Preset& preset : work.function.presets)
        if (preset.slot == slot && is_it(preset.kind)) return true;
    const Program::Range loop = loop_of(program, at);
    const std::uint32_t round_before = last_to_set(program, std::max(at, loop.begin), std::max(at, loop.end), slot);
    for (const std::uint32_t set : {before, round_before})
      if (set != at && set != loop.end && follow(set, uses)) return true;
  }
  return false;
}

}  // namespace

Repeats repeats(const Program& program, std::uint32_t index) {
  if (program.operations[index].d == kNoOperand) return Repeats::no;
  const Program::Range loop = loop_of(program, index);
  Repeats found = Repeats::no;
  for (std::uint32_t i = loop.begin; i < loop.end; ++i) {
    const Operation& branch = program.operations[i];
    if (program.details[i].id != ptx::OperationId::bra || branch.guard == kNoOperand) continue;
    const auto target = static_cast<std::uint32_t>(branch.immediate);
    const bool decides = target <= loop.begin || target >= loop.end;
    if (!decides || !follows_from(program, loop, i, index)) continue;
    if (program.operations[index].atomic == ptx::AtomicOp::cas && compares_order(program, loop, i))
      return Repeats::until_passed;
    found = Repeats::until_found;
  }
  return found;
}

/// The word has one of the n values next, each as likely as the others, and only lanes with larger ones try again:
/// T(n) = n + mean of T(0) to T(n - 1), which is 2 n - H(n); R(n) = 1 + mean of R(0) to R(n - 1), which is H(n), the
/// harmonic number.
Attempts attempts_at_extreme(double lanes) {
  constexpr double kLn2 = 0.69314718055994530942, kEuler = 0.5772156649;
  if (lanes <= 1) return {lanes, lanes};
  const double harmonic = kLn2 * log2_everywhere(lanes) + kEuler + 1 / (2 * lanes);
  return {2 * lanes - harmonic, harmonic};
}

OldValues old_values(const KernelWork& work, std::uint32_t index) {
  const Program& program = work.program;
  const std::uint32_t begin = loop_of(program, index).begin;
  const Operation& swap = program.operations[index];
  OldValues found;
  for (std::size_t i = 0; i < program.memory_operations.size() && program.memory_operations[i] < begin; ++i) {
    const std::uint32_t load = program.memory_operations[i];
    const Operation& operation = program.operations[load];
    const bool loads = program.details[load].id == ptx::OperationId::ld;
    if (loads && operation.a == swap.a && operation.immediate == swap.immediate && lanes_of(work, load) > found.lanes)
      found = {lanes_of(work, load), static_cast<double>(work.counters.memory[i].sectors)};
  }
  return found;
}

double cycles_of_round(const ModelConstants& model, const KernelWork& work, std::uint32_t index) {
  const Operation& swap = work.program.operations[index];
  std::uint32_t given_back = index;
  for (const std::uint32_t write : work.program.memory_operations) {
    const Operation& operation = work.program.operations[write];
    if (write > index && operation.a == swap.a && operation.immediate == swap.immediate &&
        is_for_others(operation, work.program.details[write]))
      given_back = write;
  }
  if (given_back == index) return model.atomic_latency;
  return model.atomic_latency + cycles_between(model, work, index, given_back, lanes_of(work, given_back));
}

bool has_uniform_address(const KernelWork& work, std::uint32_t index) {
  return !comes_from(work, index, is_of_lane, [&work](std::uint32_t set, Uses& uses) {
    const Operation& operation = work.program.operations[set];
    if (work.program.details[set].pipe == ptx::Pipe::lsu && operation.space != ptx::Space::param) return true;
    uses.add_operands(operation, set);
    return false;
  });
}

bool differs_by_block(const KernelWork& work, std::uint32_t index) {
  const auto is_block = [](Preset::Kind kind) { return kind == Preset::Kind::ctaid_x; };
  return comes_from(work, index, is_block, [&work](std::uint32_t set, Uses& uses) {
    const Operation& operation = work.program.operations[set];
    if (operation.atomic != ptx::AtomicOp::none) return true;
    if (work.program.details[set].pipe == ptx::Pipe::lsu) return operation.space == ptx::Space::shared;
    uses.add_operands(operation, set);
    return false;
  });
}

BlockWaits waits_of_blocks(const ModelConstants& model, const KernelWork& work) {
  const Program& program = work.program;
  const auto blocks = static_cast<double>(work.grid.count());
  BlockWaits found;
  for (const std::uint32_t look : program.memory_operations) {
    const double waits = lanes_of(work, look);
    if (blocks < 2 || waits < 0.5 * blocks || !is_look(program, look)) continue;
    if (!differs_by_block(work, look)) continue;
    bool before = false;
    std::uint32_t after = look;
    for (const std::uint32_t write : program.memory_operations) {
      const OperationDetail& detail = program.details[write];
      const bool writes = is_store(detail.id) || program.operations[write].atomic != ptx::AtomicOp::none;
      if (!writes || !is_for_others(program.operations[write], detail) || write == look) continue;
      if (lanes_of(work, write) < 0.5 * blocks || lanes_of(work, write) > 1.5 * blocks) continue;
      const bool takes_number =
          program.operations[write].atomic == ptx::AtomicOp::add && program.operations[write].d != kNoOperand;
      if (write < look && !takes_number) before = true;
      if (write > look) after = write;
    }
    if (after == look || (before && !is_in_outer_loop(program, loop_of(program, look)))) continue;
    if (before) {
      const auto requests = static_cast<double>(work.counters.instructions[look].inst_executed);
      found.look_back = std::max(found.look_back, waits / std::max(1.0, requests));
    } else {
      const double each = model.hand_over_latency + cycles_between(model, work, look, after, waits);
      found.chain_cycles = std::max(found.chain_cycles, blocks * each);
    }
  }
  return found;
}

}  // namespace warpbook::simulator

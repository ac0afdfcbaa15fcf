// Follows slots from a basic block to where they are read next, in the order of the program.
#include "common/simulator/model/live_registers.h"

#include <algorithm>
#include <unordered_set>

#include "common/simulator/model/operands.h"
#include "common/simulator/model/work_totals.h"

namespace warpbook::simulator {
namespace {

using ptx::OperationId;
using ptx::Space;

/// The operations of the outermost loop around a basic block, or of the block.
Program::Range outermost_loop(const Program& program, const Function& function, std::size_t number) {
  Program::Range found = program.blocks[number];
  for (std::size_t last = number; last < program.blocks.size() && program.blocks[last].begin < function.end; ++last) {
    const std::size_t first = loop_start(program, last);
    if (first <= number) {
      found.begin = std::min(found.begin, program.blocks[first].begin);
      found.end = program.blocks[last].end;
    }
  }
  return found;
}

bool is_wide_product(OperationId id) { return id == OperationId::mul_wide || id == OperationId::mad_wide; }

/// What the writers of a slot have in common: its size in registers; whether all lanes have the same value.
struct Value {
  unsigned registers = 0;
  bool uniform = true;
};

}  // namespace

unsigned registers_kept(const KernelWork& work, const MachineCode& code, std::size_t number) {
  const Program& program = work.program;
  const Program::Range& block = program.blocks[number];
  const Program::Range loop = outermost_loop(program, work.function, number);
  std::unordered_set<std::uint32_t> own, seen, live;
  for (std::uint32_t i = block.begin; i < block.end; ++i)
    for_outputs(program, program.operations[i], program.details[i], [&](std::uint32_t slot) { own.insert(slot); });
  // What comes first after the block, reading a slot or writing it, says whether its value is still needed.
  const auto look = [&](std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t i = begin; i < end; ++i) {
      const Operation& operation = program.operations[i];
      if (program.details[i].internal) continue;
      for_inputs(program, operation, program.details[i], [&](std::uint32_t slot) {
        if (seen.insert(slot).second && !own.contains(slot)) live.insert(slot);
      });
      if (operation.guard == kNoOperand)
        for_outputs(program, operation, program.details[i], [&](std::uint32_t slot) { seen.insert(slot); });
    }
  };
  look(block.end, loop.end);
  look(loop.begin, block.begin);
  look(loop.end, work.function.end);

  std::unordered_map<std::uint32_t, Value> values;
  for (const Preset& preset : work.function.presets) {
    const bool lane = preset.kind == Preset::Kind::tid_x || preset.kind == Preset::Kind::tid_y ||
                      preset.kind == Preset::Kind::tid_z || preset.kind == Preset::Kind::laneid;
    if (live.contains(preset.slot)) values[preset.slot] = {1, !lane};
  }
  for (std::uint32_t i = work.function.begin; i < loop.end; ++i) {
    if (program.details[i].internal || (i >= block.begin && i < block.end)) continue;
    const ptx::Modifiers& modifiers = program.details[i].modifiers;
    const unsigned bytes = size_of(modifiers.types[0]) * (is_wide_product(program.details[i].id) ? 2 : 1);
    for_outputs(program, program.operations[i], program.details[i], [&](std::uint32_t slot) {
      if (!live.contains(slot)) return;
      Value& value = values[slot];
      if (i < loop.begin) value = {};  // The last writer before the loop counts, and those in it.
      value = {bytes == 8 ? 2u : 1u, value.uniform && code.uniform[i] != 0};
    });
  }
  // Conditions are in registers of their own.
  for (std::uint32_t i = work.function.begin; i < work.function.end; ++i)
    if (program.operations[i].guard != kNoOperand) values.erase(program.operations[i].guard);
  unsigned registers = 0;
  for (const auto& [slot, value] : values)
    if (!value.uniform) registers += value.registers;
  return registers;
}

LoadsInFlight::LoadsInFlight(const KernelWork& work, const MachineCode& code, std::size_t number) {
  const Program& program = work.program;
  const Program::Range& block = program.blocks[number];
  const auto loads = [&](std::uint32_t i) {
    return program.details[i].id == OperationId::ld && program.operations[i].space == Space::global;
  };
  constexpr unsigned kFew = 4;
  constexpr double kStoreAddress = 2;  // Of 64 bits, or the two indices that it has in common with the load's.
  unsigned number_of_loads = 0;
  for (std::uint32_t i = block.begin; i < block.end; ++i) number_of_loads += loads(i) ? 1 : 0;
  // An estimate of the registers (the most that live at a time, loads not moved) does not say how many loads it allows.
  if (number_of_loads < kFew || work.registers == work.function.declared_registers) return;

  std::unordered_set<std::uint32_t> computed;
  std::unordered_map<std::uint32_t, std::uint32_t> loaded;  // Values on their way, by slot.
  double all = 0;
  for (std::uint32_t i = block.begin; i < block.end; ++i) {
    const Operation& operation = program.operations[i];
    const OperationDetail& detail = program.details[i];
    if (detail.internal) continue;
    if (loads(i)) {
      needs_[i] = std::max<unsigned>(1, operation.count) * std::max(4u, size_of(detail.modifiers.types[0])) / 4.0;
      all += needs_[i];
    } else if (detail.id == OperationId::st && loaded.contains(operation.b) && computed.erase(operation.a) != 0) {
      needs_[loaded[operation.b]] += kStoreAddress;
      all += kStoreAddress;
    }
    for_outputs(program, operation, detail, [&](std::uint32_t slot) {
      if (loads(i)) {
        computed.erase(slot);
        loaded[slot] = i;
      } else {
        computed.insert(slot);
        loaded.erase(slot);
      }
    });
  }
  if (all <= work.registers / 4.0) {
    needs_.clear();
    return;
  }
  free_ = static_cast<double>(work.registers) - registers_kept(work, code, number);
}

double LoadsInFlight::room_for(std::uint32_t index) {
  const auto found = needs_.find(index);
  if (found == needs_.end()) return 0;
  double when = 0;
  while (!under_way_.empty() && taken_ + found->second > free_) {
    when = std::max(when, under_way_.front().first);
    taken_ -= under_way_.front().second;
    under_way_.pop_front();
  }
  return when;
}

void LoadsInFlight::add(std::uint32_t index, double finish) {
  const auto found = needs_.find(index);
  if (found == needs_.end()) return;
  under_way_.emplace_back(finish, found->second);
  taken_ += found->second;
}

}  // namespace warpbook::simulator

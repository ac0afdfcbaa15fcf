// Looks at the operations between each backward branch and its target.
#include "common/simulator/kernel/outside_waits.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace warpbook::simulator {
namespace {

using ptx::OperationId;

/// What a loop does.
struct Loop {
  bool looks_again = false;  ///< A load that must read memory each time.
  bool loads = false;        ///< Any other load from memory that others write.
  bool renews = false;       ///< A weak load after it may see a new value.
};

void note(Loop& loop, const OperationDetail& detail) {
  if (detail.internal) return;
  const ptx::Modifiers& m = detail.modifiers;
  const std::string_view opcode = ptx::row(detail.id).opcode;
  const bool own = m.space == ptx::Space::shared || m.space == ptx::Space::local || m.space == ptx::Space::param;
  if (detail.id == OperationId::call) loop.looks_again = true;
  if (opcode == "atom" && !own) loop.looks_again = true;
  if (opcode == "ld" && !own && m.space != ptx::Space::constant)
    (m.semantics == ptx::Semantics::weak ? loop.loads : loop.looks_again) = true;
  if (opcode == "membar" || opcode == "fence" || opcode == "nanosleep") loop.renews = true;
}

/// Whether operations [@p begin, @p end) may wait for memory to change.
bool may_wait(const Program& program, std::uint32_t begin, std::uint32_t end) {
  Loop loop;
  for (std::uint32_t i = begin; i < end; ++i) note(loop, program.details[i]);
  return loop.looks_again || (loop.loads && loop.renews);
}

/// The first operation of the loop that ends with the branch at @p index; @p index if it does not branch back.
std::uint32_t first_of_loop(const Program& program, std::uint32_t index) {
  const OperationDetail& detail = program.details[index];
  const Operation& operation = program.operations[index];
  if (detail.internal) return index;
  if (ptx::row(detail.id).opcode == "bra") return std::min(index, static_cast<std::uint32_t>(operation.immediate));
  if (ptx::row(detail.id).opcode != "brx") return index;
  const auto& targets = program.jump_tables[static_cast<std::size_t>(operation.immediate)];
  return targets.empty() ? index : std::min(index, *std::min_element(targets.begin(), targets.end()));
}

bool may_wait(const Program& program, const Function& function) {
  // Loops that overlap count as one: from the first target to the last branch.
  std::uint32_t begin = 0, end = 0;
  for (std::uint32_t last = function.end; last > function.begin; --last) {
    const std::uint32_t first = first_of_loop(program, last - 1);
    if (first == last - 1) continue;
    if (end != 0 && last > begin) {
      begin = std::min(begin, first);
      continue;
    }
    if (end != 0 && may_wait(program, begin, end)) return true;
    begin = first;
    end = last;
  }
  return end != 0 && may_wait(program, begin, end);
}

}  // namespace

void find_outside_waits(Program& program) {
  std::vector<bool> waits;
  for (const Function& function : program.functions) waits.push_back(may_wait(program, function));
  const bool any_callee = [&] {
    for (std::size_t f = 0; f < waits.size(); ++f)
      if (waits[f] && !program.functions[f].entry) return true;
    return false;
  }();
  const bool any = std::find(waits.begin(), waits.end(), true) != waits.end();
  for (std::size_t f = 0; f < waits.size(); ++f) {
    Function& function = program.functions[f];
    const auto calls = [&](auto wanted) {
      for (std::uint32_t i = function.begin; i < function.end; ++i) {
        const OperationDetail& detail = program.details[i];
        if (detail.internal || detail.id != OperationId::call) continue;
        const auto site = static_cast<std::size_t>(program.operations[i].immediate);
        if (wanted(site < program.calls.size() ? program.calls[site].system : SystemCall::unknown)) return true;
      }
      return false;
    };
    function.may_wait = waits[f] ||
                        (any_callee && calls([](SystemCall system) { return system == SystemCall::none; })) ||
                        // It may launch a grid that waits.
                        (any && calls([](SystemCall system) { return system == SystemCall::unknown; }));
  }
}

}  // namespace warpbook::simulator

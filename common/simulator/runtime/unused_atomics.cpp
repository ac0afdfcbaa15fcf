// Finds atomics with an unread destination: a register whose name occurs nowhere else in the function.
#include "common/simulator/runtime/unused_atomics.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>

namespace warpbook::simulator::runtime {
namespace {

using Appearances = std::unordered_map<std::string, unsigned>;

void count(const ptx::Operand& operand, Appearances& appearances) {
  if (!operand.name.empty()) ++appearances[operand.name];
  for (const ptx::Operand& element : operand.elements) count(element, appearances);
}

Appearances count_names(const ptx::Function& function) {
  Appearances appearances;
  for (const ptx::Statement& statement : function.body) {
    const auto* instruction = std::get_if<ptx::Instruction>(&statement.node);
    if (instruction == nullptr) continue;
    if (instruction->guard) count(*instruction->guard, appearances);
    for (const ptx::Operand& operand : instruction->operands) count(operand, appearances);
    if (!statement.call) continue;
    count(statement.call->callee, appearances);
    for (const ptx::Operand& operand : statement.call->returns) count(operand, appearances);
    for (const ptx::Operand& operand : statement.call->arguments) count(operand, appearances);
  }
  return appearances;
}

/// Exchanges have no reduction; an acquiring atomic orders later reads, a reduction does not.
bool may_reduce(const ptx::Instruction& instruction) {
  constexpr std::array<std::string_view, 6> kKept = {"exch", "cas", "acquire", "acq_rel", "v2", "v4"};
  return instruction.opcode == "atom" && instruction.operands.size() >= 3 &&
         std::none_of(instruction.modifiers.begin(), instruction.modifiers.end(), [&](const std::string& modifier) {
           return std::find(kKept.begin(), kKept.end(), modifier) != kKept.end();
         });
}

}  // namespace

unsigned reduce_unused_atomics(ptx::Module& module) {
  unsigned changed = 0;
  for (ptx::Function& function : module.functions) {
    Appearances appearances;
    bool counted = false;
    for (ptx::Statement& statement : function.body) {
      auto* instruction = std::get_if<ptx::Instruction>(&statement.node);
      if (instruction == nullptr || !may_reduce(*instruction)) continue;
      if (!counted) {
        appearances = count_names(function);
        counted = true;
      }
      const ptx::Operand& result = instruction->operands.front();
      const bool unread = result.kind == ptx::Operand::Kind::sink ||
                          (result.kind == ptx::Operand::Kind::reg && appearances[result.name] == 1);
      if (!unread) continue;
      instruction->opcode = "red";
      instruction->operands.erase(instruction->operands.begin());
      ++changed;
    }
  }
  return changed;
}

}  // namespace warpbook::simulator::runtime

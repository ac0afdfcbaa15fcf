// Rewrites vadd and vsub with a secondary addition.
#include "common/simulator/runtime/video_sums.h"

#include <utility>

namespace warpbook::simulator::runtime {
namespace {

constexpr const char* kTemporary = "%video@sum";  // not a valid PTX identifier

bool is_word(const std::string& type) { return type == "u32" || type == "s32"; }

bool is_whole(const ptx::Operand& operand) {
  const bool literal = operand.kind == ptx::Operand::Kind::integer;
  return literal || (operand.kind == ptx::Operand::Kind::reg && operand.name.find('.') == std::string::npos);
}

bool is_sum(const ptx::Instruction& instruction) {
  if (instruction.opcode != "vadd" && instruction.opcode != "vsub") return false;
  const auto& m = instruction.modifiers;
  if (m.size() != 4 || !is_word(m[0]) || !is_word(m[1]) || !is_word(m[2]) || m[3] != "add") return false;
  if (instruction.operands.size() != 4) return false;
  for (const ptx::Operand& operand : instruction.operands) {
    if (!is_whole(operand)) return false;
  }
  return true;
}

void split(ptx::Function& function) {
  std::vector<ptx::Statement> body;
  body.reserve(function.body.size());
  bool found = false;
  for (ptx::Statement& statement : function.body) {
    auto* instruction = std::get_if<ptx::Instruction>(&statement.node);
    if (instruction == nullptr || !is_sum(*instruction)) {
      body.push_back(std::move(statement));
      continue;
    }
    found = true;
    ptx::Operand temporary;
    temporary.kind = ptx::Operand::Kind::reg;
    temporary.name = kTemporary;
    ptx::Instruction first = *instruction, second = std::move(*instruction);
    first.opcode = first.opcode.substr(1);
    first.modifiers = {"u32"};
    first.operands = {temporary, second.operands[1], second.operands[2]};
    second.opcode = "add";
    second.modifiers = {"u32"};
    second.operands = {second.operands[0], temporary, second.operands[3]};
    body.push_back({std::move(first), std::nullopt});
    body.push_back({std::move(second), std::nullopt});
  }
  function.body = std::move(body);
  if (found) function.registers.push_back({kTemporary, ptx::Type::u32, 0});
}

}  // namespace

void split_video_sums(ptx::Module& module) {
  for (ptx::Function& function : module.functions) split(function);
}

}  // namespace warpbook::simulator::runtime

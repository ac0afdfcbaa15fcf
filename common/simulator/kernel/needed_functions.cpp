// Follows calls by name, starting at the kernel.
#include "common/simulator/kernel/needed_functions.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

namespace warpbook::simulator {
namespace {

using Functions = std::unordered_map<std::string_view, const ptx::Function*>;

/// By name; a definition wins over declarations.
Functions functions_of(const ptx::Module& module) {
  Functions functions;
  for (const ptx::Function& function : module.functions) {
    const ptx::Function*& known = functions[function.name];
    if (known == nullptr || function.defined) known = &function;
  }
  return functions;
}

bool names_function(const ptx::Operand& operand, const Functions& functions) {
  const bool named = operand.kind == ptx::Operand::Kind::symbol || operand.kind == ptx::Operand::Kind::address;
  if (named && functions.count(operand.name) != 0) return true;
  return std::any_of(operand.elements.begin(), operand.elements.end(),
                     [&](const ptx::Operand& element) { return names_function(element, functions); });
}

}  // namespace

std::optional<std::set<std::string>> needed_functions(const ptx::Module& module, const std::string& kernel) {
  const Functions functions = functions_of(module);
  for (const auto& [name, function] : functions)
    if (!function->defined && !is_plain_system_call(name)) return std::nullopt;
  std::set<std::string> needed;
  std::vector<std::string_view> work{kernel};
  while (!work.empty()) {
    const auto found = functions.find(work.back());
    work.pop_back();
    if (found == functions.end()) return std::nullopt;
    const ptx::Function& function = *found->second;
    if (!function.defined || !needed.insert(function.name).second) continue;
    for (const ptx::Statement& statement : function.body) {
      const auto* const instruction = std::get_if<ptx::Instruction>(&statement.node);
      if (instruction == nullptr) continue;
      const auto names = [&](const std::vector<ptx::Operand>& operands) {
        return std::any_of(operands.begin(), operands.end(),
                           [&](const ptx::Operand& operand) { return names_function(operand, functions); });
      };
      if (names(instruction->operands)) return std::nullopt;
      if (!statement.call) continue;
      if (statement.call->callee.kind != ptx::Operand::Kind::symbol || names(statement.call->arguments))
        return std::nullopt;
      work.push_back(statement.call->callee.name);
    }
  }
  return needed;
}

bool is_plain_system_call(std::string_view name) {
  return name == "vprintf" || name == "malloc" || name == "free" || name == "__assertfail";
}

bool uses_heap(const ptx::Module& module) {
  std::set<std::string_view> declared, defined;
  for (const ptx::Function& function : module.functions) (function.defined ? defined : declared).insert(function.name);
  return std::any_of(declared.begin(), declared.end(), [&](std::string_view name) {
    return (name == "malloc" || name == "free" || name == "__cudaCDP2Malloc") && defined.count(name) == 0;
  });
}

}  // namespace warpbook::simulator

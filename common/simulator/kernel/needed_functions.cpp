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

/// The defined functions that @p function calls, and missing ones; nothing if it uses the address of a function.
std::optional<std::vector<std::string>> callees_of(const ptx::Function& function, const Functions& functions) {
  const auto names = [&](const std::vector<ptx::Operand>& operands) {
    return std::any_of(operands.begin(), operands.end(),
                       [&](const ptx::Operand& operand) { return names_function(operand, functions); });
  };
  std::vector<std::string> callees;
  for (const ptx::Statement& statement : function.body) {
    const auto* const instruction = std::get_if<ptx::Instruction>(&statement.node);
    if (instruction == nullptr) continue;
    if (names(instruction->operands)) return std::nullopt;
    if (!statement.call) continue;
    const ptx::Operand& callee = statement.call->callee;
    if (callee.kind != ptx::Operand::Kind::symbol || names(statement.call->arguments)) return std::nullopt;
    const auto known = functions.find(callee.name);
    if (known == functions.end() || known->second->defined) callees.push_back(callee.name);
  }
  return callees;
}

}  // namespace

std::optional<std::set<std::string>> reachable(const std::string& start, const NamesOf& names_of) {
  std::set<std::string> reached{start};
  std::vector<std::string> work{start};
  while (!work.empty()) {
    const std::optional<std::vector<std::string>> names = names_of(work.back());
    work.pop_back();
    if (!names) return std::nullopt;
    for (const std::string& name : *names)
      if (reached.insert(name).second) work.push_back(name);
  }
  return reached;
}

std::optional<std::set<std::string>> needed_functions(const ptx::Module& module, const std::string& kernel) {
  const Functions functions = functions_of(module);
  for (const auto& [name, function] : functions)
    if (!function->defined && !is_plain_system_call(name)) return std::nullopt;
  return reachable(kernel, [&](const std::string& name) -> std::optional<std::vector<std::string>> {
    const auto found = functions.find(name);
    return found == functions.end() ? std::nullopt : callees_of(*found->second, functions);
  });
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

// Joins PTX modules by symbol name.
#include "common/simulator/runtime/link_modules.h"

#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

namespace warpbook::simulator::runtime {
namespace {

void renumber(ptx::SourcePosition& source, std::uint32_t offset) {
  if (source.file != 0) source.file += offset;
}

void renumber_files(ptx::Module& module, std::uint32_t offset) {
  std::map<std::uint32_t, std::string> files;
  for (auto& [key, name] : module.files) files[key + offset] = std::move(name);
  module.files = std::move(files);
  for (ptx::Variable& variable : module.variables) renumber(variable.source, offset);
  for (ptx::Function& function : module.functions) {
    renumber(function.source, offset);
    for (ptx::Statement& statement : function.body) {
      if (auto* instruction = std::get_if<ptx::Instruction>(&statement.node)) renumber(instruction->source, offset);
    }
  }
}

/// A name that other modules cannot refer to: nvcc calls the string literals of every module $str, $str$1, ...
template <class Symbol>
bool is_local(const Symbol& symbol) {
  return !symbol.visible && !symbol.external && !symbol.weak;
}

using Renames = std::map<std::string, std::string>;

void rename(std::string& name, const Renames& renames) {
  if (const auto found = renames.find(name); found != renames.end()) name = found->second;
}

/// Calls @p use(name) for each use of a symbol.
template <class Module, class Use>
void for_each_use(Module& module, Use use) {
  const auto look_at = [&](auto& operand, const auto& again) -> void {
    if (operand.kind == ptx::Operand::Kind::symbol || operand.kind == ptx::Operand::Kind::address) use(operand.name);
    for (auto& element : operand.elements) again(element, again);
  };
  for (auto& variable : module.variables)
    for (auto& relocation : variable.relocations) use(relocation.symbol);
  for (auto& function : module.functions) {
    for (auto& statement : function.body) {
      if (auto* instruction = std::get_if<ptx::Instruction>(&statement.node))
        for (auto& operand : instruction->operands) look_at(operand, look_at);
      if (!statement.call) continue;
      look_at(statement.call->callee, look_at);
      for (auto& operand : statement.call->arguments) look_at(operand, look_at);
    }
  }
}

/// Renames local symbols of module number @p number whose names are @p taken, and adds the names that it keeps.
void rename_locals(ptx::Module& module, std::size_t number, std::set<std::string>& taken) {
  Renames renames;
  const auto consider = [&](std::string& name) {
    if (taken.insert(name).second) return;
    std::string other = name + "$module" + std::to_string(number);
    renames[name] = other;
    name = std::move(other);
    taken.insert(name);
  };
  for (ptx::Variable& variable : module.variables) {
    if (is_local(variable)) consider(variable.name);
  }
  std::set<std::string> seen;  // A function may be declared before it is defined.
  for (ptx::Function& function : module.functions) {
    if (!is_local(function)) continue;
    if (seen.insert(function.name).second)
      consider(function.name);
    else
      rename(function.name, renames);
  }
  if (!renames.empty()) for_each_use(module, [&](std::string& name) { rename(name, renames); });
}

/// Puts @p next among @p kept: definitions replace declarations; of weak definitions the first is kept.
template <class Symbol, class IsDefinition>
void merge(std::vector<Symbol>& kept, std::map<std::string, std::size_t>& index, Symbol next, const char* what,
           IsDefinition is_definition) {
  const auto [place, inserted] = index.try_emplace(next.name, kept.size());
  if (inserted) {
    kept.push_back(std::move(next));
    return;
  }
  Symbol& present = kept[place->second];
  if (!is_definition(next)) return;
  if (!is_definition(present) || (present.weak && !next.weak)) {
    present = std::move(next);
  } else if (!present.weak && !next.weak) {
    throw std::runtime_error(std::string("device link: ") + what + " '" + next.name + "' is defined twice");
  }
}

}  // namespace

ptx::Module link_modules(std::vector<ptx::Module> modules) {
  ptx::Module out;
  std::map<std::string, std::size_t> variables, functions;
  std::set<std::string> locals;
  std::uint32_t offset = 0;
  for (ptx::Module& module : modules) {
    rename_locals(module, static_cast<std::size_t>(&module - modules.data()), locals);
    renumber_files(module, offset);
    if (out.target.empty()) {
      out.version_major = module.version_major;
      out.version_minor = module.version_minor;
      out.target = module.target;
    }
    for (auto& [key, name] : module.files) {
      if (key > offset) offset = key;
      out.files[key] = std::move(name);
    }
    for (ptx::Variable& variable : module.variables) {
      merge(out.variables, variables, std::move(variable), "variable",
            [](const ptx::Variable& v) { return !v.external; });
    }
    for (ptx::Function& function : module.functions) {
      merge(out.functions, functions, std::move(function), "function",
            [](const ptx::Function& f) { return f.defined; });
    }
  }
  return out;
}

std::string undefined_symbol(const ptx::Module& module) {
  std::set<std::string> undefined;
  for (const ptx::Variable& variable : module.variables)
    if (variable.external && variable.space != ptx::Space::shared) undefined.insert(variable.name);
  static const std::set<std::string> kAlwaysThere = {"vprintf", "malloc", "free", "__assertfail"};
  for (const ptx::Function& function : module.functions) {
    const bool of_runtime = function.name.rfind("cuda", 0) == 0 || function.name.rfind("__cuda", 0) == 0;
    if (!function.defined && !of_runtime && kAlwaysThere.count(function.name) == 0) undefined.insert(function.name);
  }
  std::string found;
  for_each_use(module, [&](const std::string& name) {
    if (found.empty() && undefined.count(name) != 0) found = name;
  });
  return found;
}

}  // namespace warpbook::simulator::runtime

// Joins PTX modules by symbol name.
#include "common/simulator/runtime/link_modules.h"

#include <map>
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

/// Puts @p next among @p kept: declarations give way to definitions, weak definitions to the first.
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
  std::uint32_t offset = 0;
  for (ptx::Module& module : modules) {
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

}  // namespace warpbook::simulator::runtime

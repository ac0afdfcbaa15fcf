// Placement of parameters, locals and shared variables.
#include "common/simulator/kernel/layout.h"

#include <algorithm>

namespace warpbook::simulator {
namespace {

/// Far more than any device has: 512 KiB of local memory per thread, 228 KiB of shared memory per block.
constexpr std::uint64_t kLargestPart = std::uint64_t{1} << 20;

void collect_names(const ptx::Operand& operand, std::set<std::string>& names) {
  if (operand.kind == ptx::Operand::Kind::symbol || operand.kind == ptx::Operand::Kind::address)
    names.insert(operand.name);
  for (const ptx::Operand& element : operand.elements) collect_names(element, names);
}

std::set<std::string> names_used(const ptx::Function& function) {
  std::set<std::string> names;
  for (const ptx::Statement& statement : function.body) {
    if (const auto* instruction = std::get_if<ptx::Instruction>(&statement.node)) {
      for (const ptx::Operand& operand : instruction->operands) collect_names(operand, names);
    }
    if (statement.call) names.insert(statement.call->callee.name);
  }
  return names;
}

}  // namespace

std::uint32_t alignment_of(const ptx::Variable& variable) {
  if (variable.alignment != 0) return variable.alignment;
  return std::max(1u, ptx::size_of(variable.type));
}

std::vector<Parameter> place(const std::vector<ptx::Variable>& variables, std::uint32_t& offset) {
  std::vector<Parameter> places;
  for (const ptx::Variable& variable : variables) {
    const std::uint32_t alignment = alignment_of(variable);
    const std::uint64_t begin = align_up(offset, alignment);
    if (begin > kLargestPart || variable.bytes() > kLargestPart - begin) {
      throw DecodeError(
          "the variable '" + variable.name + "' of " + std::to_string(variable.bytes()) +
          " bytes does not fit: the parameters, the local and the shared variables of a function can have " +
          std::to_string(kLargestPart) + " bytes each");
    }
    const auto bytes = static_cast<std::uint32_t>(variable.bytes());
    places.push_back({static_cast<std::uint32_t>(begin), bytes, alignment});
    offset = static_cast<std::uint32_t>(begin) + bytes;
  }
  return places;
}

FrameLayout frame_layout(const ptx::Function& function) {
  FrameLayout layout;
  if (!function.entry) {
    layout.parameters = place(function.parameters, layout.bytes);
    for (std::size_t i = 0; i < function.parameters.size(); ++i) {
      layout.offset[function.parameters[i].name] = layout.parameters[i].offset;
    }
    layout.returns = place(function.returns, layout.bytes);
    for (std::size_t i = 0; i < function.returns.size(); ++i) {
      layout.offset[function.returns[i].name] = layout.returns[i].offset;
    }
  }
  for (const ptx::Variable& variable : function.variables) {
    if (variable.space != ptx::Space::local && variable.space != ptx::Space::param) continue;
    layout.offset[variable.name] = place({variable}, layout.bytes).front().offset;
  }
  layout.bytes = static_cast<std::uint32_t>(align_up(layout.bytes, 16));
  return layout;
}

SharedLayout::SharedLayout(const ptx::Module& module, const std::set<std::string>* only) {
  const auto is_left_out = [&](const ptx::Function& function) {
    return !function.defined || (function.entry && only != nullptr && only->count(function.name) == 0);
  };
  std::map<std::string, const ptx::Variable*> global;
  for (const ptx::Variable& variable : module.variables) {
    if (variable.space != ptx::Space::shared) continue;
    if (variable.elements == 0)
      dynamic_.insert(variable.name);
    else
      global[variable.name] = &variable;
  }
  std::map<std::string, std::set<std::string>> uses;
  std::set<std::string> functions, common;
  for (const ptx::Function& function : module.functions) {
    if (is_left_out(function)) continue;
    uses[function.name] = names_used(function);
    if (!function.entry) functions.insert(function.name);
    for (const ptx::Variable& variable : function.variables) {
      if (variable.space == ptx::Space::shared && variable.elements == 0) dynamic_.insert(variable.name);
    }
  }
  std::uint32_t common_bytes = 0;
  std::map<std::string, std::uint32_t> common_offset;
  for (const ptx::Function& function : module.functions) {
    if (!function.defined || function.entry) continue;
    for (const auto& [name, variable] : global) {
      if (uses[function.name].count(name) && !common_offset.count(name)) {
        common_offset[name] = place({*variable}, common_bytes).front().offset;
      }
    }
    for (const ptx::Variable& variable : function.variables) {
      if (variable.space != ptx::Space::shared || variable.elements == 0) continue;
      common_offset[variable.name] = place({variable}, common_bytes).front().offset;
    }
  }
  for (const ptx::Function& function : module.functions) {
    if (is_left_out(function)) continue;
    auto& offset = offset_[function.name];
    offset = common_offset;
    if (!function.entry) continue;
    const auto& used = uses[function.name];
    const bool reaches = std::any_of(used.begin(), used.end(), [&](const std::string& name) {
      return common_offset.count(name) || functions.count(name);
    });
    std::uint32_t bytes = reaches ? common_bytes : 0;
    for (const auto& [name, variable] : global) {
      if (used.count(name) && !common_offset.count(name)) offset[name] = place({*variable}, bytes).front().offset;
    }
    for (const ptx::Variable& variable : function.variables) {
      if (variable.space != ptx::Space::shared || variable.elements == 0) continue;
      offset[variable.name] = place({variable}, bytes).front().offset;
    }
    bytes_[function.name] = bytes;
  }
}

const std::uint32_t* SharedLayout::find(const std::string& function, const std::string& name) const {
  const auto in = offset_.find(function);
  if (in == offset_.end()) return nullptr;
  const auto found = in->second.find(name);
  return found == in->second.end() ? nullptr : &found->second;
}

std::uint32_t SharedLayout::bytes(const std::string& kernel) const {
  const auto found = bytes_.find(kernel);
  return found == bytes_.end() ? 0 : found->second;
}

}  // namespace warpbook::simulator

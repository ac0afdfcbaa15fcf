// Directives, parameters, initial values and calls, as ptxas 13.0 was asked for each of them.
#include "common/simulator/kernel/module_rules.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>

#include "common/simulator/kernel/program.h"

namespace warpbook::simulator {
namespace {

using FunctionsByName = std::unordered_map<std::string, const ptx::Function*>;

void check_variables(const ptx::Module& module) {
  std::set<std::string> defined;
  for (const ptx::Variable& variable : module.variables) {
    const bool held = variable.space == ptx::Space::global || variable.space == ptx::Space::constant;
    if (!held && !variable.initial.empty())
      throw DecodeError("variable '" + variable.name +
                        "' has an initial value, which only global and constant ones have");
    if (variable.space == ptx::Space::local || variable.space == ptx::Space::reg)
      throw DecodeError("variable '" + variable.name + "' of ." + std::string(name_of(variable.space)) +
                        " belongs into a function");
    if (!variable.external && !variable.weak && !defined.insert(variable.name).second)
      throw DecodeError("variable '" + variable.name + "' is defined twice");
  }
}

void check_head(const ptx::Function& function) {
  const std::string who = (function.entry ? "kernel '" : "function '") + function.name + "' ";
  for (const auto* const extents : {&function.max_threads, &function.required_threads, &function.required_cluster})
    for (const std::optional<std::uint32_t>& extent : *extents)
      if (extent && *extent == 0) throw DecodeError(who + "asks for 0 threads or blocks");
  for (const ptx::Variable& parameter : function.parameters)
    if (parameter.type == ptx::Type::pred && parameter.space == ptx::Space::param)
      throw DecodeError(who + "has the predicate '" + parameter.name + "' among its parameters");
}

class Calls {
 public:
  Calls(const ptx::Function& function, const FunctionsByName& functions) : function_(function), functions_(functions) {}

  void check(const ptx::Instruction& instruction, const ptx::Call& call) const {
    if (call.callee.kind != ptx::Operand::Kind::symbol) return;
    const auto found = functions_.find(call.callee.name);
    if (found == functions_.end()) return;  // It is refused for that.
    const ptx::Function& callee = *found->second;
    if (callee.entry) refuse(instruction, "'" + callee.name + "' is a kernel, and only functions are called");
    compare(instruction, call.arguments, callee.parameters, "arguments");
    compare(instruction, call.returns, callee.returns, "results");
  }

 private:
  [[noreturn]] static void refuse(const ptx::Instruction& instruction, const std::string& why) {
    throw DecodeError("ptx line " + std::to_string(instruction.ptx_line) + ": " + why);
  }

  void compare(const ptx::Instruction& instruction, const std::vector<ptx::Operand>& written,
               const std::vector<ptx::Variable>& wanted, const std::string& what) const {
    if (written.size() != wanted.size())
      refuse(instruction, "the call has " + std::to_string(written.size()) + " " + what + ", and the function " +
                              std::to_string(wanted.size()));
    for (std::size_t i = 0; i < written.size(); ++i) {
      if (wanted[i].space != ptx::Space::param) continue;
      const auto& variables = function_.variables;
      const auto variable = std::find_if(variables.begin(), variables.end(), [&](const ptx::Variable& known) {
        return known.space == ptx::Space::param && known.name == written[i].name;
      });
      if (variable == variables.end() || variable->bytes() == wanted[i].bytes()) continue;
      refuse(instruction, "'" + written[i].name + "' has " + std::to_string(variable->bytes()) +
                              " bytes, and the function's '" + wanted[i].name + "' has " +
                              std::to_string(wanted[i].bytes()));
    }
  }

  const ptx::Function& function_;
  const FunctionsByName& functions_;
};

/// A kernel's parameters are constants.
void check_store(const ptx::Function& function, const ptx::Instruction& instruction) {
  if (!function.entry || instruction.opcode != "st" || instruction.operands.empty()) return;
  const std::string& name = instruction.operands[0].name;
  const bool own = std::any_of(function.parameters.begin(), function.parameters.end(),
                               [&](const ptx::Variable& parameter) { return parameter.name == name; });
  if (own)
    throw DecodeError("ptx line " + std::to_string(instruction.ptx_line) + ": '" + name +
                      "' is a parameter of the kernel, which it may not write");
}

/// Whether @p id is an older form among lanes, in a module that may not have it.
bool lacks_sync(ptx::OperationId id, const ptx::Module& module) {
  if (id != ptx::OperationId::shfl && id != ptx::OperationId::vote && id != ptx::OperationId::vote_ballot) return false;
  const bool newer = module.version_major > 6 || (module.version_major == 6 && module.version_minor >= 4);
  return newer && module.target.size() > 3 && std::atoi(module.target.c_str() + 3) >= 70;
}

/// Whether @p instruction is of those that one architecture has and no later one: ptxas takes them for a target such as
/// sm_90a or sm_100f only.
bool lacks_architecture(const ptx::Instruction& instruction, const ptx::Module& module) {
  const bool replaces =
      instruction.opcode == "tensormap" && !instruction.modifiers.empty() && instruction.modifiers[0] == "replace";
  if (instruction.opcode != "wgmma" && instruction.opcode != "setmaxnreg" && !replaces) return false;
  const std::string target = module.target.substr(0, module.target.find(','));  // "sm_90, debug"
  return !target.empty() && std::isdigit(static_cast<unsigned char>(target.back())) != 0;
}

/// Whether @p match moves more at once than the module's target can.
bool lacks_width(const ptx::Match& match, const ptx::Module& module) {
  if (match.id != ptx::OperationId::ld && match.id != ptx::OperationId::st) return false;
  if (ptx::size_of(match.modifiers.types[0]) * match.modifiers.vector < 32) return false;
  return module.target.size() > 3 && std::atoi(module.target.c_str() + 3) < 100;
}

/// The first architecture that has an instruction, as ptxas knows it; 0: all that are left.
struct FirstTarget {
  unsigned architecture = 0;
  bool specific = false;  ///< Only targets such as sm_100a and sm_100f have it.
};

FirstTarget first_target(const ptx::Match& match) {
  using ptx::OperationId;
  switch (match.id) {
    case OperationId::atom_exch_wide:
    case OperationId::atom_cas_wide:
      return {90};
    case OperationId::add_f32x2:
    case OperationId::sub_f32x2:
    case OperationId::mul_f32x2:
    case OperationId::fma_f32x2:
    case OperationId::add_mixed:
    case OperationId::sub_mixed:
    case OperationId::fma_mixed:
    case OperationId::min3_f32:
    case OperationId::max3_f32:
    case OperationId::st_bulk:
    case OperationId::cp_async_bulk_store_masked:
    case OperationId::cp_async_bulk_tensor_gather:
    case OperationId::clusterlaunchcontrol_is_canceled:
    case OperationId::clusterlaunchcontrol_get_first_ctaid:
    case OperationId::clusterlaunchcontrol_get_first_ctaids:
      return {100};
    case OperationId::clusterlaunchcontrol_try_cancel:
      return {100, match.modifiers.multicast_all};
    case OperationId::cvt_to_small:
    case OperationId::cvt_from_small:
    case OperationId::cvt_to_scale:
    case OperationId::cvt_half_pair_to_scale:
    case OperationId::cvt_from_scale:
    case OperationId::redux_sync_floating:
    case OperationId::cp_async_bulk_tensor_gather_multicast:
    case OperationId::cp_async_bulk_tensor_scatter:
    case OperationId::cp_async_bulk_prefetch_tensor_gather:
      return {100, true};
    default:
      return {};
  }
}

/// Whether @p target is of the architectures that the manual lists at ".target", with or without a letter.
bool is_architecture(const std::string& target) {
  constexpr std::string_view kStart = "sm_";
  if (!target.starts_with(kStart)) return true;  // An option that is written first, "texmode_unified".
  constexpr std::array kAll = {10, 11, 12, 13, 20, 21, 30, 32, 35, 37,  50,  52,  53,  60,  61, 62,
                               70, 72, 75, 80, 86, 87, 88, 89, 90, 100, 101, 103, 110, 120, 121};
  return std::ranges::find(kAll, std::atoi(target.c_str() + kStart.size())) != kAll.end();
}

}  // namespace

std::string missing_on_target(const ptx::Match& match, const ptx::Module& module) {
  const FirstTarget first = first_target(match);
  const std::string target = module.target.substr(0, module.target.find(','));  // "sm_90, debug"
  if (first.architecture == 0 || target.size() < 4) return {};
  const std::string wanted = "sm_" + std::to_string(first.architecture);
  if (static_cast<unsigned>(std::atoi(target.c_str() + 3)) < first.architecture)
    return "it needs " + wanted + (first.specific ? "a" : "") + ", and the module's target is " + target;
  if (first.specific && std::isdigit(static_cast<unsigned char>(target.back())) != 0)
    return "it needs an architecture-specific target such as " + wanted + "a, and the module's is " + target;
  return {};
}

std::string missing_for(const ptx::Match& match, const ptx::Instruction& instruction, const ptx::Module& module) {
  if (lacks_sync(match.id, module)) return "from PTX 6.4 on it needs '.sync' on sm_70 and newer";
  if (lacks_architecture(instruction, module))
    return "it needs an architecture-specific target such as sm_90a, and the module's is " + module.target;
  if (lacks_width(match, module))
    return "loads and stores of 256 bits need sm_100, and the module's target is " + module.target;
  return {};
}

void check_module(const ptx::Module& module) {
  if (module.version_major == 0) throw DecodeError("the module has no '.version'");
  if (module.target.empty()) throw DecodeError("the module has no '.target'");
  if (!is_architecture(module.target))
    throw DecodeError("the module's target, " + module.target + ", is not an architecture that PTX knows");
  check_variables(module);
  FunctionsByName functions;
  for (const ptx::Function& function : module.functions) {
    const ptx::Function*& known = functions[function.name];
    if (known == nullptr || function.defined) known = &function;
  }
  for (const ptx::Function& function : module.functions) {
    check_head(function);
    const Calls calls(function, functions);
    for (const ptx::Statement& statement : function.body) {
      const auto* const instruction = std::get_if<ptx::Instruction>(&statement.node);
      if (instruction == nullptr) continue;
      if (statement.call)
        calls.check(*instruction, *statement.call);
      else
        check_store(function, *instruction);
    }
  }
}

}  // namespace warpbook::simulator

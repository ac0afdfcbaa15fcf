// Formal registers, and registers, vectors and literals as actual parameters.
#include "common/simulator/kernel/call_registers.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "common/simulator/kernel/program.h"
#include "common/simulator/ptx/scopes.h"

namespace warpbook::simulator {
namespace {

using ptx::Call;
using ptx::Instruction;
using ptx::kVectorElements;
using ptx::Operand;
using ptx::Prototype;
using ptx::Space;
using ptx::Statement;
using ptx::Type;
using ptx::Variable;

[[noreturn]] void refuse_call(std::uint32_t ptx_line, const std::string& why) {
  throw DecodeError("ptx line " + std::to_string(ptx_line) + ": " + why);
}

constexpr std::size_t kMostElements = std::size(kVectorElements);

Operand plain_register(std::string name) {
  Operand operand;
  operand.kind = Operand::Kind::reg;
  operand.name = std::move(name);
  return operand;
}

/// The type word of the loads and stores for values of @p type.
std::string transfer_word(Type type) {
  return type == Type::pred ? std::string() : "b" + std::to_string(8 * ptx::size_of(type));
}

/// `ld.param` or `st.param` of one element of @p variable.
Statement transfer(bool load, const Variable& variable, std::size_t element, Operand value, const Instruction& like) {
  Instruction instruction;
  instruction.source = like.source;
  instruction.ptx_line = like.ptx_line;
  const std::string word = transfer_word(variable.type);
  if (word.empty() || word == "b128")
    refuse_call(like.ptx_line, "'" + variable.name + "' is ." + std::string(ptx::name_of(variable.type)) +
                                   ": the virtual GPU passes registers of 8 to 64 bits");
  Operand address;
  address.kind = Operand::Kind::address;
  address.name = variable.name;
  address.addend = static_cast<std::int64_t>(element * ptx::size_of(variable.type));
  instruction.opcode = load ? "ld" : "st";
  instruction.modifiers = {"param", word};
  instruction.operands = load ? std::vector<Operand>{std::move(value), std::move(address)}
                              : std::vector<Operand>{std::move(address), std::move(value)};
  return {std::move(instruction), std::nullopt};
}

class CallLowering {
 public:
  CallLowering(ptx::Module& module, ptx::Function& function)
      : module_(module), function_(function), memory_(memory_of(function)) {}

  static bool is_needed(const ptx::Function& function) {
    if (!function.defined) return false;
    if (takes_registers(function.parameters) || takes_registers(function.returns)) return true;
    const auto calls = std::any_of(function.body.begin(), function.body.end(),
                                   [](const Statement& statement) { return statement.call.has_value(); });
    if (!calls) return false;
    const std::set<std::string> memory = memory_of(function);
    return std::any_of(function.body.begin(), function.body.end(), [&](const Statement& statement) {
      return statement.call && passes_values(*statement.call, memory);
    });
  }

  void lower() {
    std::vector<Statement> body;
    const bool has_formals = takes_registers(function_.parameters) || takes_registers(function_.returns);
    if (has_formals) {
      if (function_.entry) refuse_call(first_line(), "kernel '" + function_.name + "' has registers as parameters");
      for (Variable& parameter : function_.parameters) formal(parameter, true, body);
      std::vector<Statement> none;
      for (Variable& value : function_.returns) formal(value, false, none);
    }
    for (Statement& statement : function_.body) {
      if (statement.call && passes_values(*statement.call, memory_)) {
        call(statement, body);
        continue;
      }
      const auto* instruction = std::get_if<Instruction>(&statement.node);
      if (has_formals && instruction != nullptr && instruction->opcode == "ret") give_back(*instruction, body);
      body.push_back(std::move(statement));
    }
    if (has_formals) {  // A body may end without `ret`.
      Instruction end;
      end.opcode = "ret";
      end.ptx_line = first_line();
      give_back(end, body);
    }
    function_.body = std::move(body);
  }

  static bool takes_registers(const std::vector<Variable>& variables) {
    return std::any_of(variables.begin(), variables.end(), [](const Variable& v) { return v.space == Space::reg; });
  }

 private:
  /// The function's variables and its own .param parameters.
  static std::set<std::string> memory_of(const ptx::Function& function) {
    std::set<std::string> memory;
    for (const Variable& variable : function.variables) memory.insert(variable.name);
    for (const auto* list : {&function.parameters, &function.returns})
      for (const Variable& parameter : *list)
        if (parameter.space == Space::param) memory.insert(parameter.name);
    return memory;
  }

  static bool passes_values(const Call& call, const std::set<std::string>& memory) {
    const auto is_value = [&](const Operand& operand) {
      return operand.kind != Operand::Kind::symbol || memory.count(operand.name) == 0;
    };
    return std::any_of(call.returns.begin(), call.returns.end(), is_value) ||
           std::any_of(call.arguments.begin(), call.arguments.end(), is_value);
  }

  std::uint32_t first_line() const {
    for (const Statement& statement : function_.body)
      if (const auto* instruction = std::get_if<Instruction>(&statement.node)) return instruction->ptx_line;
    return function_.source.line;
  }

  /// The register keeps its name; the parameter gets a new one.
  void formal(Variable& variable, bool load, std::vector<Statement>& body) {
    if (variable.space != Space::reg) return;
    const std::string name = variable.name;
    variable.space = Space::param;
    variable.name += "@param";
    if (variable.elements > kMostElements)
      refuse_call(first_line(), "'" + name + "' is an array of registers, which cannot be passed");
    Instruction like;
    like.source = function_.source;
    like.ptx_line = first_line();
    for (std::size_t i = 0; i < variable.elements; ++i) {
      const std::string element = variable.elements == 1 ? name : name + kVectorElements[i];
      function_.registers.push_back({element, variable.type, 0});
      if (load)
        body.push_back(transfer(true, variable, i, plain_register(element), like));
      else
        returned_.push_back({&variable, i, element});
    }
  }

  void give_back(const Instruction& like, std::vector<Statement>& body) const {
    for (const Returned& value : returned_)
      body.push_back(transfer(false, *value.variable, value.element, plain_register(value.name), like));
  }

  void call(Statement& statement, std::vector<Statement>& body) {
    const Instruction like = std::get<Instruction>(statement.node);
    Call& call = *statement.call;
    const std::vector<Variable>*returns = nullptr, *parameters = nullptr;
    find_formals(call, like, returns, parameters);
    std::vector<Statement> after;
    for (const bool in : {true, false}) {
      std::vector<Operand>& actuals = in ? call.arguments : call.returns;
      const std::vector<Variable>& formals = in ? *parameters : *returns;
      if (actuals.size() != formals.size())
        refuse_call(like.ptx_line, "the call of '" + call.callee.name + "' has " + std::to_string(actuals.size()) +
                                       (in ? " arguments" : " results") + ", and the function has " +
                                       std::to_string(formals.size()));
      for (std::size_t i = 0; i < actuals.size(); ++i) {
        if (actuals[i].kind == Operand::Kind::symbol && memory_.count(actuals[i].name) != 0) continue;
        pass(actuals[i], formals[i], in, like, in ? body : after);
      }
    }
    body.push_back(std::move(statement));
    std::move(after.begin(), after.end(), std::back_inserter(body));
  }

  /// Replaces an actual value by a variable of this function.
  void pass(Operand& actual, const Variable& formal, bool in, const Instruction& like, std::vector<Statement>& to) {
    Variable variable;
    variable.name = "actual@" + std::to_string(count_++);
    variable.space = Space::param;
    variable.type = formal.type;
    variable.elements = formal.elements;
    variable.alignment = formal.alignment;
    const std::vector<Operand> scalar{actual};
    const std::vector<Operand>& parts = actual.kind == Operand::Kind::vector ? actual.elements : scalar;
    if (parts.size() != variable.elements)
      refuse_call(like.ptx_line, "the call of a function passes " + std::to_string(parts.size()) + " values for '" +
                                     formal.name + "', which has " + std::to_string(variable.elements));
    for (std::size_t k = 0; k < parts.size(); ++k) {
      if (!in && parts[k].kind == Operand::Kind::sink) continue;
      Statement move = transfer(!in, variable, k, parts[k], like);
      if (!in) std::get<Instruction>(move.node).guard = like.guard;
      to.push_back(std::move(move));
    }
    actual = Operand();
    actual.kind = Operand::Kind::symbol;
    actual.name = variable.name;
    function_.variables.push_back(std::move(variable));
  }

  void find_formals(const Call& call, const Instruction& like, const std::vector<Variable>*& returns,
                    const std::vector<Variable>*& parameters) const {
    if (call.callee.kind == Operand::Kind::symbol) {
      for (const ptx::Function& function : module_.functions) {
        if (function.name != call.callee.name) continue;
        returns = &function.returns;
        parameters = &function.parameters;
      }
    }
    for (const Prototype& prototype : function_.prototypes) {
      if (call.callee.kind != Operand::Kind::reg || prototype.name != call.prototype) continue;
      returns = &prototype.returns;
      parameters = &prototype.parameters;
    }
    if (returns == nullptr)
      refuse_call(like.ptx_line,
                  "the call of '" + call.callee.name + "' passes values, and nothing says which it takes");
  }

  struct Returned {
    const Variable* variable;
    std::size_t element;
    std::string name;
  };

  ptx::Module& module_;
  ptx::Function& function_;
  std::set<std::string> memory_;
  std::vector<Returned> returned_;
  unsigned count_ = 0;
};

}  // namespace

std::optional<ptx::Module> without_call_registers(const ptx::Module& module) {
  std::optional<ptx::Module> lowered;
  const auto own = [&]() -> ptx::Module& {
    if (!lowered) lowered = module;
    return *lowered;
  };
  for (std::size_t i = 0; i < module.functions.size(); ++i) {
    const ptx::Function& function = module.functions[i];
    if (CallLowering::is_needed(function)) CallLowering(own(), own().functions[i]).lower();
  }
  // Declarations and prototypes only give sizes.
  for (std::size_t i = 0; lowered && i < module.functions.size(); ++i) {
    ptx::Function& function = lowered->functions[i];
    const auto become_parameters = [](std::vector<Variable>& variables) {
      for (Variable& variable : variables)
        if (variable.space == Space::reg) variable.space = Space::param;
    };
    become_parameters(function.returns);
    become_parameters(function.parameters);
    for (Prototype& prototype : function.prototypes) {
      become_parameters(prototype.returns);
      become_parameters(prototype.parameters);
    }
  }
  return lowered;
}

}  // namespace warpbook::simulator

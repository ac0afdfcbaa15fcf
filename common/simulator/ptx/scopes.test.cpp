// Tests of the flattening of nested scopes.
#include "common/simulator/ptx/scopes.h"

#include "common/simulator/ptx/parser.h"
#include "common/testing/catch.h"

namespace warpbook::simulator::ptx {
namespace {

Function function(std::string_view body) {
  return parse(".entry k()\n{\n" + std::string(body) + "\n}\n").functions.at(0);
}

/// The names in the body: labels with ':', and for instructions the guard and the operands.
std::vector<std::string> names(const Function& function) {
  std::vector<std::string> names;
  for (const Statement& statement : function.body) {
    if (const auto* label = std::get_if<Label>(&statement.node)) {
      names.push_back(label->name + ":");
      continue;
    }
    const auto& instruction = std::get<Instruction>(statement.node);
    if (instruction.guard) names.push_back(instruction.guard->name);
    for (const Operand& operand : instruction.operands) {
      if (operand.elements.empty()) names.push_back(operand.name);
      for (const Operand& element : operand.elements) names.push_back(element.name);
    }
  }
  return names;
}

using Names = std::vector<std::string>;

TEST_CASE("the outermost scope keeps its names") {
  const Function f = function(".reg .b32 a; L: mov.b32 a, %r1; bra L;");
  CHECK(names(f) == Names{"L:", "a", "%r1", "L"});
}

TEST_CASE("registers of a nested scope are renamed, and used ones of outer scopes are not") {
  const Function f = function(
      ".reg .b32 a, b;\n"
      "{ .reg .b32 a; .reg .pred p; @p add.s32 a, b, %r1; { .reg .b32 b; mov.b32 b, a; } mov.b32 [a+4], {a, b}; }\n"
      "mov.b32 a, b;");
  CHECK(names(f) == Names{"p@1", "a@1", "b", "%r1", "b@2", "a@1", "a@1", "a@1", "b", "a", "b"});
  REQUIRE(f.registers.size() == 5);
  CHECK((f.registers[2].name == "a@1" && f.registers[4].name == "b@2"));
}

TEST_CASE("sibling scopes with the same names stay apart") {
  const Function f = function("{ .reg .b32 t; mov.b32 t, 1; } { .reg .b32 t; mov.b32 t, 2; }");
  CHECK(names(f) == Names{"t@1", "", "t@2", ""});
}

TEST_CASE("labels of a nested scope may be used before they are declared") {
  const Function f =
      function("{ again: bra done; bra again; bra outside; done: }\n{ again: bra again; }\noutside: ret;");
  CHECK(names(f) == Names{"again@1:", "done@1", "again@1", "outside", "done@1:", "again@2:", "again@2", "outside:"});
}

TEST_CASE("counted registers of a nested scope") {
  const Function f =
      function(".reg .b32 t<2>; { .reg .b32 t<12>; mov.b32 t11, t1.b0; mov.b32 t12, t; } mov.b32 t0, t1;");
  CHECK(names(f) == Names{"t@1_11", "t@1_1.b0", "t12", "t", "t0", "t1"});
  REQUIRE(f.registers.size() == 2);
  CHECK((f.registers[1].name == "t@1_" && f.registers[1].count == 12));
}

TEST_CASE("variables, calls, prototypes and targets of a nested scope") {
  const Function f = function(
      "{ .param .b32 param0; .param .b32 retval0; .reg .b64 to;\n"
      "  proto : .callprototype (.param .b32 _) _ (.param .b32 _);\n"
      "  st.param.b32 [param0], 1; call (retval0), to, (param0), proto;\n"
      "  targets : .branchtargets here, there; here: brx.idx %r1, targets; }\nthere: ret;");
  REQUIRE(f.variables.size() == 2);
  CHECK(f.variables[0].name == "param0@1");
  CHECK(f.prototypes.at(0).name == "proto@1");
  CHECK(f.target_lists.at(0).targets == Names{"here@1", "there"});
  const Call& call = f.body.at(1).call.value();
  CHECK(call.returns.at(0).name == "retval0@1");
  CHECK((call.callee.name == "to@1" && call.callee.kind == Operand::Kind::reg));
  CHECK(call.arguments.at(0).name == "param0@1");
  CHECK(call.prototype == "proto@1");
  CHECK(std::get<Instruction>(f.body.at(3).node).operands.at(1).name == "targets@1");
}

TEST_CASE("a name without '%' is a register only where one is declared") {
  const Function f = function("{ .reg .b32 x; mov.b32 x, 1; } mov.b32 %r1, x;");
  CHECK(std::get<Instruction>(f.body.at(0).node).operands.at(0).kind == Operand::Kind::reg);
  CHECK(std::get<Instruction>(f.body.at(1).node).operands.at(1).kind == Operand::Kind::symbol);
}

TEST_CASE("too deeply nested scopes are refused") { CHECK_THROWS_AS(function(std::string(100000, '{')), ParseError); }

}  // namespace
}  // namespace warpbook::simulator::ptx

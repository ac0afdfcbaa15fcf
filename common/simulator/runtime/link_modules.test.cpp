// Joining PTX modules by symbol name.
#include "common/simulator/runtime/link_modules.h"

#include <utility>

#include "common/simulator/ptx/parser.h"
#include "common/testing/catch.h"

using namespace warpbook::simulator;
using warpbook::simulator::runtime::link_modules;
using warpbook::simulator::runtime::undefined_symbol;

namespace {

ptx::Module parse(const std::string& body) {
  return ptx::parse(".version 9.0\n.target sm_90\n.address_size 64\n" + body);
}

ptx::Module join(const std::string& first, const std::string& second) {
  std::vector<ptx::Module> modules;
  modules.push_back(parse(first));
  modules.push_back(parse(second));
  return link_modules(std::move(modules));
}

const char* const kUser =
    ".extern .global .align 4 .u32 counter;\n"
    ".extern .func helper(.param .b32 x);\n"
    ".visible .entry user() {\n.loc 1 7 0\nret;\n}\n.file 1 \"user.cu\"\n";
const char* const kOwner =
    ".visible .global .align 4 .u32 counter = 5;\n"
    ".visible .func helper(.param .b32 x) {\n.loc 1 9 0\nret;\n}\n.file 1 \"owner.cu\"\n";

}  // namespace

TEST_CASE("definitions replace declarations, in either order") {
  for (const bool swapped : {false, true}) {
    const ptx::Module module = swapped ? join(kOwner, kUser) : join(kUser, kOwner);
    REQUIRE(module.variables.size() == 1);
    CHECK_FALSE(module.variables[0].external);
    CHECK(module.variables[0].initial.at(0) == 5);
    unsigned defined = 0;
    for (const auto& function : module.functions) defined += function.defined;
    CHECK(module.functions.size() == 2);
    CHECK(defined == 2);
  }
}

TEST_CASE("an undefined symbol is named unless every device defines it") {
  const std::string reads = ".visible .entry k() {\n.reg .u32 r;\nld.global.u32 r, [counter];\nret;\n}\n",
                    calls = ".visible .entry k() {\ncall helper, (4);\nret;\n}\n";
  CHECK(undefined_symbol(join(kUser + reads, kOwner)).empty());
  CHECK(undefined_symbol(parse(kUser)).empty());  // Only declared.
  CHECK(undefined_symbol(parse(kUser + reads)) == "counter");
  CHECK(undefined_symbol(parse(kUser + calls)) == "helper");
  CHECK(undefined_symbol(
            parse(".extern .func free(.param .b64 p);\n.extern .shared .align 16 .b8 dynamic[];\n"
                  ".visible .entry k() {\n.reg .u32 r;\ncall free, (0);\nld.shared.u32 r, [dynamic];\nret;\n}\n"))
            .empty());
}

TEST_CASE("source files keep their names when modules are joined") {
  const ptx::Module module = join(kUser, kOwner);
  REQUIRE(module.files.size() == 2);
  for (const auto& function : module.functions) {
    for (const auto& statement : function.body) {
      const auto* instruction = std::get_if<ptx::Instruction>(&statement.node);
      if (instruction == nullptr) continue;
      const std::string wanted = function.name == "user" ? "user.cu" : "owner.cu";
      CHECK(module.files.at(instruction->source.file) == wanted);
    }
  }
}

TEST_CASE("two definitions of one symbol are an error that names it") {
  CHECK_THROWS_WITH(join(kOwner, kOwner), Catch::Contains("'counter' is defined twice"));
}

TEST_CASE("symbols with internal linkage are kept apart") {
  const auto text = [](const char* function, const char* byte) {
    return std::string(".global .align 1 .b8 $str[2] = {") + byte +
           "};\n.global .align 8 .u64 table = generic($str);\n" + ".func twin() {\nret;\n}\n.visible .func " +
           function +
           "() {\n.reg .b64 %rd<3>;\nmov.u64 %rd1, $str;\nld.global.u64 %rd2, [table];\ncall.uni twin, ();\nret;\n}\n";
  };
  const ptx::Module module = join(text("first", "65"), text("second", "66"));
  REQUIRE(module.variables.size() == 4);
  REQUIRE(module.functions.size() == 4);
  const auto used_by = [&](const std::string& name) {
    std::vector<std::string> used;
    for (const auto& function : module.functions) {
      if (function.name != name) continue;
      for (const auto& statement : function.body) {
        const auto* instruction = std::get_if<ptx::Instruction>(&statement.node);
        if (instruction == nullptr) continue;
        if (instruction->opcode == "mov" || instruction->opcode == "ld") used.push_back(instruction->operands[1].name);
        if (statement.call) used.push_back(statement.call->callee.name);
      }
    }
    return used;
  };
  const auto first = used_by("first"), second = used_by("second");
  REQUIRE(first.size() == 3);
  REQUIRE(second.size() == 3);
  const auto variable = [&](const std::string& name) {
    for (const auto& v : module.variables)
      if (v.name == name) return v;
    FAIL("no variable " << name);
    return ptx::Variable{};
  };
  CHECK(variable(first[0]).initial.at(0) == 65);
  CHECK(variable(second[0]).initial.at(0) == 66);
  CHECK(variable(first[1]).relocations.at(0).symbol == first[0]);
  CHECK(variable(second[1]).relocations.at(0).symbol == second[0]);
  CHECK(first[2] != second[2]);
  for (const std::string& name : {first[2], second[2]}) {
    unsigned definitions = 0;
    for (const auto& function : module.functions) definitions += function.name == name && function.defined;
    CHECK(definitions == 1);
  }
}

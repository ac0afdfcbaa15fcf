// Joining PTX modules by symbol name.
#include "common/simulator/runtime/link_modules.h"

#include <utility>

#include "common/simulator/ptx/parser.h"
#include "common/testing/catch.h"

using namespace warpbook::simulator;
using warpbook::simulator::runtime::link_modules;

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

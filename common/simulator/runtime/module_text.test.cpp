// Function bodies are parsed only for the kernels that name them.
#include "common/simulator/runtime/module_text.h"

#include <algorithm>

#include "common/simulator/kernel/program.h"
#include "common/testing/catch.h"

using namespace warpbook::simulator;
using runtime::ModuleText;

namespace {

const std::string kHead = ".version 9.0\n.target sm_90\n.address_size 64\n";
const std::string kText = kHead +
                          ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"
                          ".global .align 4 .u32 counter = 5;\n"
                          ".func inner() { // } is no end\n /* } nor here */ ret; }\n"
                          ".func outer()\n{\n{ call inner, (); }\nret;\n}\n"
                          ".entry calls() { call outer, (); ret; }\n"
                          ".entry alone()\n.maxnreg 32 { .pragma \"}\";\nret; }\n"
                          ".file 1 \"a.cu\"\n";

const ptx::Function& function(const ptx::Module& module, const std::string& name) {
  const auto found = std::find_if(module.functions.begin(), module.functions.end(),
                                  [&](const ptx::Function& f) { return f.name == name; });
  REQUIRE(found != module.functions.end());
  return *found;
}

}  // namespace

TEST_CASE("heads have everything but bodies") {
  ModuleText text(kText);
  const ptx::Module heads = text.heads();
  CHECK(heads.variables.size() == 1);
  CHECK(heads.files.at(1) == "a.cu");
  CHECK(function(heads, "alone").max_registers == 32);
  for (const char* const name : {"inner", "outer", "calls", "alone"}) {
    CHECK(function(heads, name).defined);
    CHECK(function(heads, name).body.empty());
  }
  CHECK(text.can_be_parted(heads));
}

TEST_CASE("for a kernel the functions that it names are parsed with their original line numbers") {
  ModuleText text(kText);
  text.heads();
  const ptx::Module whole = text.all_functions();
  const ptx::Module part = text.functions_for("calls");
  for (const char* const name : {"inner", "outer", "calls"}) {
    const auto& body = function(part, name).body;
    const auto& other = function(whole, name).body;
    REQUIRE(body.size() == other.size());
    for (std::size_t i = 0; i < body.size(); ++i)
      CHECK(std::get<ptx::Instruction>(body[i].node).ptx_line == std::get<ptx::Instruction>(other[i].node).ptx_line);
  }
  CHECK(function(part, "alone").body.empty());
  CHECK(text.functions_for("alone").functions.size() == whole.functions.size());
}

TEST_CASE("a function that cannot be parsed is refused only with the kernels that name it") {
  ModuleText text(kHead +
                  ".func bad() { one two three; }\n.entry uses() { call bad, (); ret; }\n.entry good() { ret; }\n");
  const ptx::Module heads = text.heads();
  CHECK(text.can_be_parted(heads));
  CHECK(function(text.functions_for("good"), "good").body.size() == 1);
  CHECK_THROWS_AS(text.functions_for("uses"), DecodeError);
  CHECK_THROWS_AS(text.all_functions(), DecodeError);
}

TEST_CASE("a module that has aliases or may launch kernels is not divided") {
  ModuleText aliased(kHead + ".func g();\n.func f() { ret; }\n.alias g, f;\n");
  CHECK_FALSE(aliased.can_be_parted(aliased.heads()));
  ModuleText launches(kHead +
                      ".extern .func (.param .b64 r) cudaGetParameterBufferV2(.param .b64 f);\n.entry k() { ret; }\n");
  CHECK_FALSE(launches.can_be_parted(launches.heads()));
}

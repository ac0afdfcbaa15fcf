// Which functions a kernel needs, by what is called and named.
#include "common/simulator/kernel/needed_functions.h"

#include "common/simulator/ptx/parser.h"
#include "common/testing/catch.h"

using namespace warpbook::simulator;

namespace {

ptx::Module parse(const std::string& text) {
  return ptx::parse(".version 9.0\n.target sm_90\n.address_size 64\n" + text);
}

using Names = std::set<std::string>;

const char* const kFunctions =
    ".func inner() { ret; }\n"
    ".func outer() { call inner, (); ret; }\n"
    ".func other() { call outer, (); ret; }\n";

}  // namespace

TEST_CASE("a kernel needs what it calls, and what that calls") {
  const ptx::Module module = parse(std::string(kFunctions) +
                                   ".entry k() { call outer, (); ret; }\n"
                                   ".entry alone() { ret; }\n");
  CHECK(needed_functions(module, "k") == Names{"inner", "k", "outer"});
  CHECK(needed_functions(module, "alone") == Names{"alone"});
  CHECK_FALSE(needed_functions(module, "missing").has_value());
}

TEST_CASE("where a function's address is taken, or a call goes through one, all functions are needed") {
  const std::string registers = ".reg .b64 %rd<2>;\n";
  const ptx::Module module = parse(std::string(kFunctions) + ".func takes() { " + registers +
                                   "mov.u64 %rd1, inner; ret; }\n"
                                   ".entry a() { call takes, (); ret; }\n"
                                   ".entry b() { " +
                                   registers +
                                   "proto: .callprototype _ ();\ncall %rd1, (), proto; ret; }\n"
                                   ".entry c() { call outer, (); ret; }\n");
  CHECK_FALSE(needed_functions(module, "a").has_value());
  CHECK_FALSE(needed_functions(module, "b").has_value());
  CHECK(needed_functions(module, "c") == Names{"c", "inner", "outer"});
}

TEST_CASE("kernels that may launch others need all functions; those that print or allocate do not") {
  const std::string prints = ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n";
  const std::string launches = ".extern .func (.param .b64 r) cudaGetParameterBufferV2(.param .b64 f);\n";
  CHECK(needed_functions(parse(prints + ".entry k() { ret; }"), "k") == Names{"k"});
  CHECK_FALSE(needed_functions(parse(prints + launches + ".entry k() { ret; }"), "k").has_value());
}

TEST_CASE("a module uses the heap if it declares what allocates, and does not define it") {
  const std::string declared = ".extern .func (.param .b64 r) malloc(.param .b64 bytes);\n";
  CHECK(uses_heap(parse(declared + ".entry k() { ret; }")));
  CHECK_FALSE(uses_heap(parse(".entry k() { ret; }")));
  CHECK_FALSE(uses_heap(parse(declared + ".func (.param .b64 r) malloc(.param .b64 bytes) { ret; }")));
}

// Which definitions of grid handle calls a program gets.
#include "common/simulator/runtime/grid_handle.h"

#include <algorithm>

#include "common/simulator/ptx/parser.h"
#include "common/simulator/runtime/link_modules.h"
#include "common/testing/catch.h"

using namespace warpbook::simulator;

namespace {

constexpr const char* kHead = ".version 9.0\n.target sm_90\n.address_size 64\n";

/// The function in the module that is linked to @p text.
const ptx::Function* find(const ptx::Module& module, const std::string& name) {
  const auto found = std::find_if(module.functions.begin(), module.functions.end(),
                                  [&](const ptx::Function& function) { return function.name == name; });
  return found == module.functions.end() ? nullptr : &*found;
}

ptx::Module linked(const std::string& text) {
  std::vector<ptx::Module> modules;
  modules.push_back(ptx::parse(kHead + text));
  runtime::add_grid_calls(modules);
  return runtime::link_modules(std::move(modules));
}

}  // namespace

TEST_CASE("a declared grid handle call gets a definition, and an existing one is kept") {
  const auto module = linked(
      ".extern .func (.param .b64 a) cudaCGGetIntrinsicHandle(.param .b32 s);\n"
      ".visible .func (.param .b32 a) cudaCGSynchronize(.param .b64 h, .param .b32 f) { ret; }\n");
  const ptx::Function* const handle = find(module, "cudaCGGetIntrinsicHandle");
  REQUIRE(handle != nullptr);
  CHECK(handle->defined);
  const ptx::Function* const synchronize = find(module, "cudaCGSynchronize");
  REQUIRE(synchronize != nullptr);
  CHECK(synchronize->body.size() == 1);
}

TEST_CASE("a program without grid handle calls gets no definitions of them") {
  CHECK(linked(".visible .entry k() { ret; }\n").functions.size() == 1);
}

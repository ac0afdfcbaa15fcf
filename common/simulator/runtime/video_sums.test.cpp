// Video instructions that are plain sums.
#include "common/simulator/runtime/video_sums.h"

#include "common/simulator/ptx/parser.h"
#include "common/testing/catch.h"

using namespace warpbook::simulator;

namespace {

ptx::Function split(const std::string& instruction) {
  ptx::Module module = ptx::parse(".version 7.0\n.target sm_80\n.address_size 64\n.entry k()\n{\n.reg .u32 %a<5>;\n" +
                                  instruction + "\n}\n");
  runtime::split_video_sums(module);
  return module.functions.at(0);
}

const ptx::Instruction& at(const ptx::Function& function, std::size_t index) {
  return std::get<ptx::Instruction>(function.body.at(index).node);
}

}  // namespace

TEST_CASE("a difference with an addition becomes two instructions") {
  const ptx::Function function = split("vsub.u32.u32.u32.add %a0, %a1, %a2, 7;");
  REQUIRE(function.body.size() == 2);
  CHECK(at(function, 0).spelling() == "sub.u32");
  CHECK(at(function, 0).operands[1].name == "%a1");
  CHECK(at(function, 0).operands[2].name == "%a2");
  CHECK(at(function, 1).spelling() == "add.u32");
  CHECK(at(function, 1).operands[0].name == "%a0");
  CHECK(at(function, 1).operands[1].name == at(function, 0).operands[0].name);
  CHECK(at(function, 1).operands[2].integer == 7);
  CHECK(function.registers.size() == 2);
}

TEST_CASE("other video instructions stay as they are") {
  for (const char* text :
       {"vadd.u32.u32.u32.sat.add %a0, %a1, %a2, %a3;", "vadd.u32.u32.u32.add %a0, %a1.b0, %a2, %a3;",
        "vadd.u32.u32.u32.max %a0, %a1, %a2, %a3;", "vadd.u32.u32.u32 %a0, %a1, %a2;"}) {
    const ptx::Function function = split(text);
    CHECK(function.body.size() == 1);
    CHECK(at(function, 0).opcode == "vadd");
  }
}

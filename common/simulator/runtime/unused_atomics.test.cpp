// Which atomics become reductions.
#include "common/simulator/runtime/unused_atomics.h"

#include "common/simulator/ptx/parser.h"
#include "common/testing/catch.h"

using namespace warpbook::simulator;

namespace {

/// The opcode of the only atomic in a kernel with the statements @p text.
std::string opcode_of(const std::string& text) {
  ptx::Module module = ptx::parse(
      ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k() {\n"
      ".reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n" +
      text + "\nret;\n}\n");
  runtime::reduce_unused_atomics(module);
  for (const auto& statement : module.functions.at(0).body) {
    const auto* instruction = std::get_if<ptx::Instruction>(&statement.node);
    if (instruction != nullptr && (instruction->opcode == "atom" || instruction->opcode == "red")) {
      CHECK(instruction->operands.size() == (instruction->opcode == "red"         ? 2
                                             : instruction->modifiers[1] == "cas" ? 4
                                                                                  : 3));
      return instruction->opcode;
    }
  }
  return {};
}

}  // namespace

TEST_CASE("an atomic becomes a reduction if its result is unused") {
  CHECK(opcode_of("atom.global.add.u32 %r1, [%rd1], %r2;") == "red");
  CHECK(opcode_of("atom.shared.max.s32 %r1, [%rd1], %r2;") == "red");
  CHECK(opcode_of("atom.global.add.u32 _, [%rd1], %r2;") == "red");
  CHECK(opcode_of("atom.global.add.u32 %r1, [%rd1], %r2;\nadd.u32 %r3, %r1, 1;") == "atom");
  CHECK(opcode_of("add.u32 %r3, %r1, 1;\natom.global.add.u32 %r1, [%rd1], %r2;") == "atom");
}

TEST_CASE("exchanges and acquiring atomics stay unchanged") {
  CHECK(opcode_of("atom.global.exch.b32 %r1, [%rd1], %r2;") == "atom");
  CHECK(opcode_of("atom.global.cas.b32 %r1, [%rd1], %r2, %r3;") == "atom");
  CHECK(opcode_of("atom.acquire.gpu.global.add.u32 %r1, [%rd1], %r2;") == "atom");
}

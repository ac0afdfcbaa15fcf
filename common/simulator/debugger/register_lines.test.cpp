// When a register can hold a value.
#include "common/simulator/debugger/register_lines.h"

#include "common/testing/catch.h"

using warpbook::simulator::debugger::RegisterLines;

TEST_CASE("a register holds a value once an instruction that names it may have been executed") {
  const RegisterLines lines(
      "\tmov.u32 \t%r1, %tid.x; // %r9\n"  // Line 10.
      "$L__BB0_1:\n"
      "\tadd.s32 \t%r2, %r1, 1;\n"
      "\tmov.u32 \t%r3, %r2;\n"
      "\tsetp.lt.s32 \t%p1, %r3, 4;\n"
      "\t@%p1 bra \t$L__BB0_1;\n"
      "\tmov.u32 \t%r4, %r3;\n"
      "\tret;\n",
      10);
  CHECK_FALSE(lines.may_be_set("%r1", 10));
  CHECK(lines.may_be_set("%r1", 11));
  CHECK(lines.may_be_set("%r3", 12));  // In the second turn of the loop.
  CHECK_FALSE(lines.may_be_set("%r3", 10));
  CHECK_FALSE(lines.may_be_set("%r4", 15));
  CHECK_FALSE(lines.may_be_set("%r4", 16));
  CHECK(lines.may_be_set("%r4", 17));
  CHECK(lines.may_be_set("%r9", 10));  // A comment is no instruction: nothing is known.
}

TEST_CASE("a table of branches may lead back to the start") {
  const RegisterLines lines("\tmov.u32 \t%r1, 0;\n\tmov.u32 \t%r2, 1;\n\tbrx.idx \t%r1, $L__brx;\n", 1);
  CHECK(lines.may_be_set("%r2", 1));
}

// Dynamic stack memory: alloca, stacksave and stackrestore.
#include "common/simulator/machine/testing.h"
#include "common/testing/catch.h"

using namespace warpbook::simulator;
using testing::Bench;
using testing::kernel;

namespace {

/// The message with which kernel `k` ends, run in one block of 32 threads with 1024 bytes of stack.
std::string ends_with(const std::string& body) {
  Bench bench(kernel(body));
  const LaunchResult result = bench.launch("k", {1}, {32}, {0, 0});
  REQUIRE(result.fault);
  CHECK(result.fault.thread[0] == 5);
  CHECK((result.fault.kind == FaultKind::stack_overflow || result.fault.kind == FaultKind::illegal));
  return result.fault.message;
}

/// The reason why the module is refused.
std::string refusal(const std::string& body) {
  try {
    Bench bench(kernel(body));
  } catch (const std::exception& error) {
    return error.what();
  }
  return "taken";
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a stack overflow reports the size of the stack") {
  const std::string only_5 = "setp.eq.u32 %p1, %r1, 5; @!%p1 bra done;";
  const std::string large = ends_with(only_5 + "mov.u64 %rd3, 1025; alloca.u64 %rd4, %rd3; done:");
  CHECK(contains(large, "alloca of 1025 bytes"));
  CHECK(contains(large, "1024 bytes a thread has"));
  CHECK(
      contains(ends_with(only_5 + "mov.u64 %rd3, -8; alloca.u64 %rd4, %rd3; done:"), "alloca of 18446744073709551608"));
  // In a loop the allocations add up: the sixth of 200 bytes does not fit.
  const std::string loop = ends_with(only_5 + "again: alloca.u64 %rd4, 200; bra again; done:");
  CHECK(contains(loop, "of which 1000 are taken"));
}

TEST_CASE("the whole stack can be allocated, in each block") {
  Bench bench(
      kernel("mov.u64 %rd3, 1024; alloca.u64 %rd4, %rd3; st.local.u32 [%rd4+1020], %r1;\n"
             "mul.wide.u32 %rd5, %r1, 4; add.u64 %rd5, %rd5, %rd1; ld.local.u32 %r3, [%rd4+1020];\n"
             "red.global.add.u32 [%rd5], %r3;"));
  const std::uint64_t sums = bench.array(std::vector<std::uint32_t>(32));
  const LaunchResult result = bench.launch("k", {50}, {32}, {sums, 0});
  REQUIRE_FALSE(result.fault);
  for (std::uint32_t lane = 0; lane < 32; ++lane) CHECK(bench.read<std::uint32_t>(sums, 32)[lane] == 50 * lane);
}

TEST_CASE("functions whose frames are known before they run need none of the stack's limit") {
  const auto function = [](const std::string& name, const std::string& body) {
    return ".func (.param .b32 sum) " + name +
           "(.param .b32 given)\n{\n.reg .b32 %s<4>; .local .align 8 .b8 room[5000];\n"
           "ld.param.u32 %s1, [given]; st.local.u32 [room+4996], %s1;\n" +
           body + "ld.local.u32 %s2, [room+4996]; add.u32 %s1, %s1, %s2; st.param.u32 [sum], %s1; ret;\n}\n";
  };
  const std::string call_of_inner =
      "{ .param .b32 a; .param .b32 r; st.param.u32 [a], %s1; call.uni (r), inner, (a); ld.param.u32 %s1, [r]; }\n";
  const std::string body =
      "{ .param .b32 a; .param .b32 r; st.param.u32 [a], %r1; call.uni (r), outer, (a); ld.param.u32 %r3, [r]; }\n"
      "mul.wide.u32 %rd5, %r1, 4; add.u64 %rd5, %rd5, %rd1; st.global.u32 [%rd5], %r3;";
  std::string text = kernel(body);
  text.insert(text.find(".visible"), function("inner", "") + function("outer", call_of_inner));
  Bench bench(text);
  const std::uint64_t sums = bench.array(std::vector<std::uint32_t>(32));
  const LaunchResult result = bench.launch("k", {1}, {32}, {sums, 0});
  CHECK(result.fault.message == "");
  // inner: twice what it is given; outer: that, and once more what it was given.
  for (std::uint32_t lane = 0; lane < 32; ++lane) CHECK(bench.read<std::uint32_t>(sums, 32)[lane] == 3 * lane);
}

TEST_CASE("a function frees its stack memory, and its callees use memory after that of all its lanes") {
  const std::string function =
      ".func (.param .b32 sum) deeper(.param .b32 depth)\n{\n.reg .pred %q; .reg .b32 %s<8>; .reg .b64 %sd<8>;\n"
      "ld.param.b32 %s0, [depth]; mov.u32 %s1, %laneid; mad.lo.u32 %s2, %s1, 4, 4; cvt.u64.u32 %sd0, %s2;\n"
      "alloca.u64 %sd1, %sd0, 16; add.u64 %sd2, %sd1, %sd0; st.local.u32 [%sd1], %s0; st.local.u32 [%sd2+-4], %s0;\n"
      "mov.u32 %s4, 0; setp.eq.u32 %q, %s0, 0; @%q bra done; sub.u32 %s3, %s0, 1;\n"
      "{ .param .b32 a; .param .b32 b; st.param.b32 [a], %s3; call (b), deeper, (a); ld.param.b32 %s4, [b]; }\n"
      "done: ld.local.u32 %s5, [%sd1]; ld.local.u32 %s6, [%sd2+-4]; add.u32 %s4, %s4, %s5; add.u32 %s4, %s4, %s6;\n"
      "st.param.b32 [sum], %s4; ret;\n}\n";
  std::string text = kernel(
      "mov.u32 %r5, 0; mov.u32 %r6, 0;\n"
      "again: { .param .b32 a; .param .b32 b; and.b32 %r4, %r1, 3; st.param.b32 [a], %r4; call (b), deeper, (a);\n"
      "ld.param.b32 %r3, [b]; }\nadd.u32 %r5, %r5, %r3; add.u32 %r6, %r6, 1; setp.lt.u32 %p1, %r6, 100; @%p1 bra "
      "again;\n"
      "mul.wide.u32 %rd5, %r1, 4; add.u64 %rd5, %rd5, %rd1; st.global.u32 [%rd5], %r5;");
  text.insert(text.find(".visible"), function);
  Bench bench(text);
  const std::uint64_t sums = bench.array(std::vector<std::uint32_t>(32));
  const LaunchResult result = bench.launch("k", {1}, {32}, {sums, 0});
  INFO(result.fault.message);
  REQUIRE_FALSE(result.fault);
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    const std::uint32_t depth = lane % 4;
    CHECK(bench.read<std::uint32_t>(sums, 32)[lane] == 100 * depth * (depth + 1));
  }
}

TEST_CASE("stackrestore only accepts a value of stacksave from the same call") {
  const std::string only_5 = "setp.eq.u32 %p1, %r1, 5; @!%p1 bra done; mov.u64 %rd3, ";
  CHECK(contains(ends_with(only_5 + "4096; stackrestore.u64 %rd3; done:"), "stackrestore to 4096"));
}

TEST_CASE("an alignment that is not a power of two is refused as by ptxas") {
  for (const std::string alignment : {"0", "3", "16777216"})
    CHECK(contains(refusal("alloca.u64 %rd3, %rd1, " + alignment + ";"), "alignment is " + alignment));
  CHECK(refusal("alloca.u64 %rd3, %rd1, 8388608;") == "taken");
}

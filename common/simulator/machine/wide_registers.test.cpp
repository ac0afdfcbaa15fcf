// Registers of 128 bits in instructions of fewer bits. An H200 gave the same (2026-11-27),
// except the upper halves of signed results of 8, 16 or 32 bits: ptxas 13.0 makes them from a register that it has not
// set, or from the sign of a source of 64 bits. The virtual GPU extends the result by its own sign, as the manual says.
#include "common/simulator/machine/testing.h"
#include "common/testing/catch.h"

using namespace warpbook::simulator;
using testing::Bench;
using testing::kernel;

namespace {

constexpr std::uint64_t kMinus5 = ~std::uint64_t{4};

/// The halves of %q0 after @p body, in which %r3 is -5 and the memory at [%rd1] is 0x80818283.
std::vector<std::uint64_t> halves_after(const std::string& body) {
  Bench bench(
      kernel(".reg .b128 %q<4>; .reg .b64 %half<2>;\n"
             "mov.s32 %r3, -5; mov.f32 %f1, 0fC0A00000; mov.b64 %rd3, 1; mov.b128 %q0, {%rd3, %rd3};\n" +
             body + "\nmov.b128 {%half0, %half1}, %q0; st.global.v2.u64 [%rd1], {%half0, %half1};"));
  const std::uint64_t memory = bench.array(std::vector<std::uint64_t>{0x80818283, 0});
  REQUIRE_FALSE(bench.launch("k", {1}, {1}, {memory, 0}).fault);
  return bench.read<std::uint64_t>(memory, 2);
}

using Halves = std::vector<std::uint64_t>;

}  // namespace

TEST_CASE("a result of fewer bits is extended to 128, by its sign or by zeros") {
  CHECK(halves_after("cvt.s64.s32 %q0, %r3;") == Halves{kMinus5, ~0ull});
  CHECK(halves_after("cvt.s8.s32 %q0, %r3;") == Halves{kMinus5, ~0ull});
  CHECK(halves_after("cvt.u8.s32 %q0, %r3;") == Halves{0xfb, 0});
  CHECK(halves_after("cvt.u16.s8 %q0, %r3;") == Halves{0xfffb, 0});
  CHECK(halves_after("cvt.u64.s32 %q0, %r3;") == Halves{kMinus5, 0});
  CHECK(halves_after("cvt.sat.u8.s32 %q0, %r3;") == Halves{0, 0});
  CHECK(halves_after("cvt.u64.u32 %q0, %r3;") == Halves{0xfffffffb, 0});
  CHECK(halves_after("cvt.rzi.s32.f32 %q0, %f1;") == Halves{kMinus5, ~0ull});
  CHECK(halves_after("cvt.rn.f16.s32 %q0, %r3;") == Halves{0xc500, 0});
  CHECK(halves_after("cvt.f64.f32 %q0, %f1;") == Halves{0xc014000000000000, 0});
  CHECK(halves_after("cvt.rn.f16x2.f32 %q0, %f1, %f1;") == Halves{0xc500c500, 0});
  CHECK(halves_after("cvt.pack.sat.s16.s32 %q0, %r3, %r3;") == Halves{0xfffbfffb, 0});
  CHECK(halves_after("cvt.pack.sat.u8.s32.b32 %q0, %r3, %r3, %r3;") == Halves{0xfffb0000, 0});
  CHECK(halves_after("ld.global.u32 %q0, [%rd1];") == Halves{0x80818283, 0});
  CHECK(halves_after("ld.global.f32 %q0, [%rd1];") == Halves{0x80818283, 0});
  CHECK(halves_after("ld.global.s64 %q0, [%rd1];") == Halves{0x80818283, 0});
  CHECK(halves_after("ld.global.s32 %q0, [%rd1];") == Halves{0xffffffff80818283, ~0ull});
  CHECK(halves_after("ld.global.s8 %q0, [%rd1];") == Halves{0xffffffffffffff83, ~0ull});
  CHECK(halves_after("setp.eq.s32 %p1, %r3, 0; @%p1 cvt.s64.s32 %q0, %r3;") == Halves{1, 1});
}

TEST_CASE("of a source of 128 bits the lower ones are read") {
  const std::string source = "mov.b64 %rd3, 0x1122334455667788; mov.b64 %rd4, -1; mov.b128 %q1, {%rd3, %rd4};\n";
  CHECK(halves_after(source + "cvt.u64.u32 %q0, %q1;") == Halves{0x55667788, 0});
  CHECK(halves_after(source + "cvt.s64.s8 %q0, %q1;") == Halves{0xffffffffffffff88, ~0ull});
  CHECK(halves_after(source + "cvt.u64.u16 %q0, %q1;") == Halves{0x7788, 0});
  CHECK(halves_after(source + "cvt.rn.f32.s32 %f2, %q1; mov.b32 %r4, %f2; cvt.u64.u32 %q0, %r4;") ==
        Halves{0x4eaaccef, 0});
  CHECK(halves_after(source + "cvt.s32.s64 %q0, %q1;") == Halves{0x55667788, 0});
  CHECK(halves_after(source + "st.global.u16 [%rd1], %q1; ld.global.u32 %q0, [%rd1];") == Halves{0x80817788, 0});
  CHECK(halves_after(source + "cvt.u16.u32 %r4, %q1; cvt.u64.u32 %q0, %r4;") == Halves{0x7788, 0});
  CHECK(halves_after(source + "st.global.u8 [%rd1], %q1; ld.global.u32 %q0, [%rd1];") == Halves{0x80818288, 0});
  CHECK(halves_after(source + "cvt.s64.s32 %q1, %q1; mov.b128 %q0, %q1;") == Halves{0x55667788, 0});
}

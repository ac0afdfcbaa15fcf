// Values computed once for a whole launch are the same, and counted the same, as if each warp of each block computed
// them.
#include "common/simulator/machine/testing.h"
#include "common/testing/catch.h"

using namespace warpbook::simulator;
using testing::Bench;
using testing::kernel;

namespace {

/// %rd5: out[this thread], of 8 bytes, in a grid of 4 x 3 x 2 blocks of 64 threads.
const std::string kOwnPlace =
    "mov.u32 %r20, %ctaid.y; mov.u32 %r21, %ctaid.z; mad.lo.s32 %r22, %r21, 3, %r20; shl.b32 %r23, %r22, 2;\n"
    "add.s32 %r24, %r23, %r2; shl.b32 %r25, %r24, 6; add.s32 %r26, %r25, %r1; mul.wide.s32 %rd20, %r26, 8;\n"
    "add.s64 %rd5, %rd1, %rd20;\n";

struct Place {
  std::uint32_t x, y, z, thread;
};

/// Runs @p body, which leaves a 64-bit value in %rd6, in each thread and compares it with @p expected.
template <class Expected>
void check_values(const std::string& body, Expected expected, const std::string& behind = {}) {
  INFO(body);
  Bench bench(kernel(kOwnPlace + body + "st.global.u64 [%rd5], %rd6;\n" + behind));
  const std::uint64_t out = bench.array(std::vector<std::uint64_t>(24 * 64, 1));
  const LaunchResult result = bench.launch("k", {4, 3, 2}, {64}, {out, 0});
  REQUIRE_FALSE(result.fault);
  const auto values = bench.read<std::uint64_t>(out, 24 * 64);
  std::size_t k = 0;
  for (std::uint32_t z = 0; z < 2; ++z) {
    for (std::uint32_t y = 0; y < 3; ++y) {
      for (std::uint32_t x = 0; x < 4; ++x) {
        for (std::uint32_t thread = 0; thread < 64; ++thread)
          REQUIRE(values[k++] == static_cast<std::uint64_t>(expected(Place{x, y, z, thread})));
      }
    }
  }
}

struct Outcome {
  Counters counters;
  std::vector<std::uint32_t> values;  ///< Of the array.
};

/// Runs a kernel that accesses memory through %rd4; `patterns` of its accesses have linear addresses.
Outcome run(const std::string& body, std::size_t patterns, Dim3 grid, std::uint64_t offset, unsigned threads) {
  Bench bench(kernel(body));
  REQUIRE(bench.program->functions[0].global_patterns.size() == patterns);
  bench.settings.threads = threads;
  std::vector<std::uint32_t> values(1 << 16);
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = static_cast<std::uint32_t>(k * 2654435761u);
  const std::uint64_t in = bench.array(values);
  const LaunchResult result = bench.launch("k", grid, {50}, {in + offset, 3});
  REQUIRE_FALSE(result.fault);
  return {result.counters, bench.read<std::uint32_t>(in, values.size())};
}

/// Runs a kernel unchanged, and with an address that has gone through a nonlinear operation.
void check_same_counts(const std::string& index, const std::string& access, std::uint64_t offset = 0,
                       std::size_t accesses = 1, Dim3 grid = {6, 5}) {
  INFO(index << access << " from " << offset);
  const Outcome wanted = run(index + "xor.b64 %rd4, %rd4, 0;\n" + access, 0, grid, offset, 1);
  REQUIRE(wanted.counters.memory[0].requests > 0);
  for (const unsigned threads : {1u, 3u}) {
    const Outcome found = run(index + access, accesses, grid, offset, threads);
    for (std::size_t k = 0; k < accesses; ++k) {
      for (const auto member : kMemorySums)
        CHECK(found.counters.memory[k].*member == wanted.counters.memory[k].*member);
      CHECK(found.counters.memory[k].stride == wanted.counters.memory[k].stride);
    }
    CHECK(found.counters.read_sectors == wanted.counters.read_sectors);
    CHECK(found.counters.written_sectors == wanted.counters.written_sectors);
    CHECK(found.values == wanted.values);
  }
}

}  // namespace

TEST_CASE("sums and products with a block's index are right in each block") {
  check_values("mad.lo.s32 %r3, %r2, -7, %r1; add.s32 %r4, %r3, %r20; cvt.s64.s32 %rd6, %r4;\n",
               [](const Place& p) { return std::int64_t{p.x} * -7 + p.thread + p.y; });
  check_values("mov.u32 %r3, %ntid.x; mad.wide.u32 %rd6, %r21, %r3, %rd1; sub.s64 %rd6, %rd6, %rd1;\n",
               [](const Place& p) { return p.z * 64; });
  check_values("cvt.u64.u32 %rd3, %r2; shl.b64 %rd4, %rd3, 40; neg.s64 %rd7, %rd4; add.s64 %rd6, %rd7, 5;\n",
               [](const Place& p) { return 5 - (std::int64_t{p.x} << 40); });
}

TEST_CASE("what overflows 32 bits in some block is right in all of them") {
  const auto wraps = [](const Place& p) { return static_cast<std::int32_t>(p.x * 0x40000000u + p.thread); };
  check_values("mad.lo.s32 %r3, %r2, 0x40000000, %r1; cvt.s64.s32 %rd6, %r3;\n", wraps);
  check_values("mad.lo.s32 %r3, %r2, 0x40000000, %r1; mul.wide.s32 %rd6, %r3, 12;\n",
               [&](const Place& p) { return std::int64_t{wraps(p)} * 12; });
  check_values("add.s32 %r3, %r1, -1; add.s32 %r4, %r3, %r2; mul.wide.u32 %rd6, %r4, 3;\n",
               [](const Place& p) { return std::uint64_t{p.thread - 1 + p.x} * 3; });
}

TEST_CASE("values that overflow, or that are only read behind a branch, in a loop or under a guard") {
  check_values(
      "mov.u64 %rd6, 0; setp.eq.s32 %p1, %r2, 2; @%p1 bra out; mad.lo.s32 %r3, %r20, 10, %r1; cvt.s64.s32 %rd3, %r3;\n"
      "mov.u64 %rd6, %rd3; out:\n",
      [](const Place& p) { return p.x == 2 ? 0 : p.y * 10 + p.thread; });
  check_values(
      "mov.u32 %r5, 0; mov.u64 %rd6, 0; again: cvt.s64.s32 %rd3, %r20; add.s64 %rd6, %rd6, %rd3;\n"
      "add.s32 %r5, %r5, 1; setp.lt.s32 %p1, %r5, 4; @%p1 bra again;\n",
      [](const Place& p) { return p.y * 4; });
  check_values("cvt.s64.s32 %rd6, %r20; setp.lt.s32 %p1, %r1, 7; @%p1 mov.u64 %rd6, 100;\n",
               [](const Place& p) { return p.thread < 7 ? 100 : p.y; });
}

TEST_CASE("parts of an address may have other uses, also behind a branch") {
  check_values(
      "setp.eq.s32 %p1, %r1, 99; @%p1 bra out; shl.b32 %r10, %r24, 6; add.s32 %r11, %r10, %r1;\n"
      "cvt.s64.s32 %rd8, %r11; xor.b64 %rd6, %rd8, 1; mul.wide.s32 %rd9, %r11, 8; add.s64 %rd10, %rd1, %rd9;\n"
      "st.global.u64 [%rd10], %rd6; out:\n",
      [](const Place& p) { return (((p.z * 3 + p.y) * 4 + p.x) * 64 + p.thread) ^ 1; });
}

TEST_CASE("accesses at linear addresses count as any others, wherever a block's lanes begin") {
  // %rd4 = p0 + (block x * 50 + block y * 1000 + thread) * stride, in bytes
  const auto index = [](int stride, int pitch) {
    return "mov.u32 %r3, %ctaid.y; mad.lo.s32 %r4, %r3, 250, %r1; mad.lo.s32 %r5, %r2, " + std::to_string(pitch) +
           ", %r4; mul.wide.s32 %rd3, %r5, " + std::to_string(stride) + "; add.s64 %rd4, %rd1, %rd3;\n";
  };
  for (const std::string access : {"ld.global.u32 %r6, [%rd4];", "ld.global.nc.u32 %r6, [%rd4];",
                                   "ld.volatile.global.u32 %r6, [%rd4];", "st.global.u32 [%rd4], %r1;"}) {
    for (const int stride : {4, 8, 64, 128}) {
      check_same_counts(index(stride, 50), access);
      check_same_counts(index(stride, 64), access);
      check_same_counts(index(stride, 50), access, 20);
    }
    check_same_counts(index(0, 50), access);
    check_same_counts(index(-4, 50), access, 1 << 15);
    check_same_counts(index(-8, 64), access, 1 << 15);
  }
  check_same_counts(index(1, 50), "ld.global.s8 %r6, [%rd4];", 3);
  check_same_counts(index(16, 50), "st.global.v4.u32 [%rd4], {%r1, %r2, %r3, %r4};");
  check_same_counts(index(8, 50), "ld.global.v2.f32 {%f1, %f2}, [%rd4+8];");
  check_same_counts(index(8, 50), "st.global.u64 [%rd4], %rd3;");
}

TEST_CASE("accesses of some lanes at linear addresses count as any others") {
  const std::string index = "mad.lo.s32 %r5, %r2, 50, %r1; mul.wide.s32 %rd3, %r5, 4; add.s64 %rd4, %rd1, %rd3;\n";
  for (const std::string condition :
       {"setp.lt.s32 %p1, %r1, 5;", "setp.gt.s32 %p1, %r5, 70;", "and.b32 %r7, %r1, 1; setp.eq.s32 %p1, %r7, 0;",
        "and.b32 %r7, %r1, %r2; setp.eq.s32 %p1, %r7, 0;"}) {
    check_same_counts(index, condition + "@%p1 st.global.u32 [%rd4], %r1; @%p1 ld.global.u32 %r6, [%rd4];", 0, 2, {10});
  }
}

TEST_CASE("a fault at a linear address names the address, the block and the thread") {
  Bench bench(
      kernel("mad.lo.s32 %r3, %r2, 32, %r1; mul.wide.s32 %rd3, %r3, 4; add.s64 %rd4, %rd1, %rd3;\n"
             "st.global.u32 [%rd4+4], %r1;"));
  const std::uint64_t out = bench.array(std::vector<int>(100));
  const LaunchResult result = bench.launch("k", {4}, {32}, {out, 0});
  REQUIRE(result.fault);
  CHECK(result.fault.address == out + 400);
  CHECK(result.fault.block[0] == 3);
  CHECK(result.fault.thread[0] == 3);
  const LaunchResult crooked = bench.launch("k", {2}, {32}, {out + 2, 0});
  REQUIRE(crooked.fault);
  CHECK(crooked.fault.kind == FaultKind::misaligned);
}

// Loads, stores and atomics on the machine: values under all masks, counters, faults.
#include <algorithm>
#include <numeric>
#include <random>
#include <set>

#include "common/simulator/machine/address_space.h"
#include "common/simulator/machine/testing.h"
#include "common/testing/catch.h"

using namespace warpbook::simulator;
using testing::Bench;
using testing::kernel;

namespace {

/// The counters of the first access with the text @p spelling.
const MemoryCounters& counters_of(const Bench& bench, const LaunchResult& result, const std::string& spelling) {
  for (std::size_t m = 0; m < bench.program->memory_operations.size(); ++m)
    if (bench.program->details[bench.program->memory_operations[m]].spelling == spelling)
      return result.counters.memory[m];
  throw std::runtime_error("no access " + spelling);
}

/// %rd3 = p0 + 4 * lane index scaled by @p factor; %rd4 is the lane's own word of p1.
std::string at(int factor) {
  return "mul.wide.s32 %rd3, %r1, " + std::to_string(4 * factor) +
         "; add.s64 %rd3, %rd1, %rd3; mul.wide.s32 %rd4, %r1, 4; add.s64 %rd4, %rd2, %rd4;\n";
}

std::vector<int> numbers(std::size_t n) {
  std::vector<int> values(n);
  std::iota(values.begin(), values.end(), 100);
  return values;
}

}  // namespace

TEST_CASE("loads and stores of any stride move the right words") {
  for (const int factor : {0, 1, 2, 3, 7, 33}) {
    for (const unsigned threads : {32u, 31u, 1u, 17u}) {
      CAPTURE(factor, threads);
      Bench bench(kernel(at(factor) + "ld.global.u32 %r4, [%rd3+8]; add.u32 %r4, %r4, 1; st.global.u32 [%rd4], %r4;"));
      const std::uint64_t in = bench.array(numbers(33 * 32 + 2)), out = bench.array(std::vector<int>(32, -1));
      const LaunchResult result = bench.launch("k", {1}, {threads}, {in, out});
      REQUIRE_FALSE(result.fault);
      const auto values = bench.read<int>(out, 32);
      for (unsigned l = 0; l < 32; ++l) CHECK(values[l] == (l < threads ? 101 + factor * static_cast<int>(l) + 2 : -1));
      const MemoryCounters& load = counters_of(bench, result, "ld.global.u32");
      CHECK(load.requests == 1);
      CHECK(load.bytes == 4 * threads);
      CHECK(load.stride_requests == (threads > 1 ? 1 : 0));
      if (threads > 1) CHECK(load.stride == 4 * factor);
    }
  }
}

TEST_CASE("a backward and a scattered load read the right words") {
  Bench bench(
      kernel("sub.s32 %r3, 31, %r1; mul.wide.s32 %rd3, %r3, 4; add.s64 %rd3, %rd1, %rd3;\n"
             "ld.global.u32 %r4, [%rd3]; mul.lo.s32 %r5, %r1, 13; and.b32 %r5, %r5, 31;\n"
             "mul.wide.s32 %rd5, %r5, 4096; add.s64 %rd5, %rd1, %rd5; ld.global.u32 %r6, [%rd5];\n"
             "add.u32 %r4, %r4, %r6; mul.wide.s32 %rd4, %r1, 4; add.s64 %rd4, %rd2, %rd4;\n"
             "st.global.u32 [%rd4], %r4;"));
  const std::uint64_t in = bench.array(numbers(32 * 1024)), out = bench.array(std::vector<int>(32));
  const LaunchResult result = bench.launch("k", {1}, {32}, {in, out});
  REQUIRE_FALSE(result.fault);
  const auto values = bench.read<int>(out, 32);
  for (int l = 0; l < 32; ++l) CHECK(values[l] == 200 + 31 - l + (13 * l % 32) * 1024);
}

TEST_CASE("lanes that store to one place leave the last lane's value") {
  Bench bench(
      kernel("st.global.u32 [%rd1], %r1; shr.u32 %r3, %r1, 4; mul.wide.s32 %rd3, %r3, 4;\n"
             "add.s64 %rd3, %rd2, %rd3; st.global.u32 [%rd3], %r1;"));
  const std::uint64_t one = bench.array(std::vector<int>(1)), two = bench.array(std::vector<int>(2));
  REQUIRE_FALSE(bench.launch("k", {1}, {30}, {one, two}).fault);
  CHECK(bench.read<int>(one, 1)[0] == 29);
  CHECK(bench.read<int>(two, 2) == std::vector<int>{15, 29});
}

TEST_CASE("a load hits what its block loaded before, unless it bypasses the L1") {
  for (const std::string form : {"ld.global.u32", "ld.global.nc.u32", "ld.global.cg.u32", "ld.volatile.global.u32"}) {
    Bench bench(kernel(at(1) + form + " %r4, [%rd3]; " + form + " %r5, [%rd3]; st.global.u32 [%rd4], %r5;"));
    const std::uint64_t in = bench.array(numbers(32)), out = bench.array(std::vector<int>(32));
    const LaunchResult result = bench.launch("k", {2}, {32}, {in, out});
    REQUIRE_FALSE(result.fault);
    const bool cached = form == "ld.global.u32" || form == "ld.global.nc.u32";
    CAPTURE(form);
    CHECK(result.counters.memory[0].sectors == 8);
    CHECK(result.counters.memory[0].sectors_hit == 0);  // Each block starts with a cold L1.
    CHECK(result.counters.memory[1].sectors_hit == (cached ? 8 : 0));
  }
}

TEST_CASE("an asynchronous copy counts its reads and its writes with their requests and bytes") {
  // Reads with a stride of 8 bytes and writes with one of 16; then a copy in which only 8 lanes read anything.
  Bench bench(
      kernel("mov.u32 %r3, tile; mad.lo.s32 %r4, %r1, 16, %r3; mul.wide.s32 %rd3, %r1, 8; add.s64 %rd3, %rd1, %rd3;\n"
             "cp.async.ca.shared.global [%r4], [%rd3], 4;\n"
             "setp.lt.u32 %p1, %r1, 8; selp.u32 %r5, 4, 0, %p1; cp.async.ca.shared.global [%r4+4], [%rd3], 4, %r5;\n"
             "cp.async.wait_all;"));
  const LaunchResult result = bench.launch("k", {1}, {32}, {bench.array(numbers(64)), 0});
  REQUIRE_FALSE(result.fault);
  REQUIRE(result.counters.memory.size() >= 2);
  for (const bool some : {false, true}) {
    CAPTURE(some);
    const MemoryCounters& counters = result.counters.memory[some ? 1 : 0];
    CHECK(counters.requests == 2);
    CHECK(counters.shared_requests == 1);
    CHECK(counters.bytes == 128 + (some ? 32 : 128));
    CHECK(counters.shared_bytes == 128);
    CHECK(counters.sectors == (some ? 2 : 8));
    CHECK(counters.wavefronts == 4);
    CHECK(counters.conflicts == 3);
  }
}

TEST_CASE("an asynchronous copy that reads less than it writes reads no byte past its source") {
  // 29 words: lanes 0 to 6 read 16 bytes, lane 7 as many as are left, the others none.
  for (const int left : {4, 8}) {
    CAPTURE(left);
    Bench bench(kernel(
        "mov.u32 %r3, tile; mad.lo.s32 %r4, %r1, 16, %r3; mul.wide.s32 %rd3, %r1, 16; add.s64 %rd3, %rd1, %rd3;\n"
        "setp.lt.u32 %p1, %r1, 7; selp.u32 %r5, 16, 0, %p1; setp.eq.u32 %p1, %r1, 7; selp.u32 %r5, " +
        std::to_string(left) +
        ", %r5, %p1;\n"
        "cp.async.cg.shared.global [%r4], [%rd3], 16, %r5; cp.async.wait_all; bar.sync 0;\n"
        "mad.lo.s32 %r4, %r1, 4, %r3; ld.shared.u32 %r5, [%r4]; mul.wide.s32 %rd4, %r1, 4; add.s64 %rd4, %rd2, %rd4;\n"
        "st.global.u32 [%rd4], %r5;"));
    const std::uint64_t in = bench.array(numbers(29)), out = bench.array(std::vector<int>(32, -1));
    const LaunchResult result = bench.launch("k", {1}, {32}, {in, out});
    if (left == 8) {
      REQUIRE(result.fault);
      CHECK(result.fault.kind == FaultKind::out_of_bounds);
      CHECK(result.fault.address == in + 112);
      continue;
    }
    REQUIRE_FALSE(result.fault);
    std::vector<int> expected = numbers(29);
    expected.resize(32);
    CHECK(bench.read<int>(out, 32) == expected);
  }
}

TEST_CASE("a generic access counts its shared memory part separately") {
  Bench bench(kernel(
      "mov.u32 %r3, tile; cvt.u64.u32 %rd3, %r3; cvta.shared.u64 %rd3, %rd3; mul.wide.s32 %rd4, %r1, 4;\n"
      "setp.lt.u32 %p1, %r1, 24; selp.b64 %rd5, %rd3, %rd1, %p1; add.s64 %rd5, %rd5, %rd4; st.u32 [%rd5], %r1;"));
  const std::uint64_t out = bench.array(std::vector<int>(32));
  const LaunchResult result = bench.launch("k", {1}, {32}, {out, 0});
  REQUIRE_FALSE(result.fault);
  const MemoryCounters& counters = counters_of(bench, result, "st.u32");
  CHECK(counters.requests == 2);
  CHECK(counters.shared_requests == 1);
  CHECK(counters.bytes == 128);
  CHECK(counters.shared_bytes == 96);
  CHECK(counters.sectors == 1);
  CHECK(counters.wavefronts == 1);
}

TEST_CASE("a vector access is one request with all its bytes") {
  Bench bench(
      kernel("mul.wide.s32 %rd3, %r1, 16; add.s64 %rd3, %rd1, %rd3; mul.wide.s32 %rd4, %r1, 16;\n"
             "add.s64 %rd4, %rd2, %rd4; ld.global.v4.u32 {%r4, %r5, %r6, %r7}, [%rd3];\n"
             "st.global.v4.u32 [%rd4], {%r7, %r6, %r5, %r4};"));
  const std::uint64_t in = bench.array(numbers(128)), out = bench.array(std::vector<int>(128));
  const LaunchResult result = bench.launch("k", {1}, {32}, {in, out});
  REQUIRE_FALSE(result.fault);
  const auto values = bench.read<int>(out, 128);
  for (int i = 0; i < 128; ++i) CHECK(values[i] == 100 + (i ^ 3));
  for (const char* form : {"ld.global.v4.u32", "st.global.v4.u32"}) {
    const MemoryCounters& counters = counters_of(bench, result, form);
    CHECK(counters.requests == 1);
    CHECK(counters.sectors == 16);
    CHECK(counters.sectors_ideal == 16);
    CHECK(counters.lines == 4);
    CHECK(counters.bytes == 512);
    CHECK(counters.tag_wavefronts == 1);
  }
}

TEST_CASE("local memory at one offset is coalesced over the lanes") {
  Bench bench(
      ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p0, .param .u64 p1)\n{\n"
      ".local .align 16 .b8 own[64]; .reg .b32 %r<8>; .reg .b64 %rd<8>;\n"
      "ld.param.u64 %rd1, [p0]; mov.u32 %r1, %tid.x; mov.u32 %r2, own;\n"
      "st.local.u32 [%r2+4], %r1; ld.local.u32 %r3, [%r2+4]; st.local.v4.u32 [%r2+16], {%r1, %r3, %r1, %r3};\n"
      "and.b32 %r4, %r1, 7; shl.b32 %r4, %r4, 2; add.u32 %r4, %r4, %r2; st.local.u32 [%r4], %r1; ld.local.s32 %r5, "
      "[%r4];\n"
      "mul.wide.s32 %rd2, %r1, 4; add.s64 %rd2, %rd1, %rd2; st.global.u32 [%rd2], %r5; ret;\n}\n");
  const std::uint64_t out = bench.array(std::vector<int>(64));
  const LaunchResult result = bench.launch("k", {1}, {64}, {out, 0});
  REQUIRE_FALSE(result.fault);
  CHECK(bench.read<int>(out, 64)[41] == 41);
  const MemoryCounters& load = counters_of(bench, result, "ld.local.u32");
  CHECK(load.requests == 2);
  CHECK(load.sectors == 8);
  CHECK(load.sectors_ideal == 8);
  CHECK(load.sectors_hit == 8);  // The store before it filled the L1.
  CHECK(counters_of(bench, result, "st.local.v4.u32").sectors == 32);
  // Eight words, each loaded by one lane of every eight: a sector for each lane.
  CHECK(counters_of(bench, result, "ld.local.s32").sectors == 64);
}

TEST_CASE("generic addresses reach every space, lane by lane") {
  // Lanes 0..9 global, 10..19 shared, 20..31 local.
  Bench bench(
      ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p0, .param .u64 p1)\n{\n"
      ".local .align 16 .b8 own[64]; .shared .align 16 .b8 tile[256]; .reg .b32 %r<8>; .reg .b64 %rd<12>; .reg .pred "
      "%p<4>;\n"
      "ld.param.u64 %rd1, [p0]; ld.param.u64 %rd2, [p1]; mov.u32 %r1, %tid.x;\n"
      "mul.wide.s32 %rd3, %r1, 4; add.s64 %rd4, %rd1, %rd3; mov.u64 %rd5, tile; cvta.shared.u64 %rd5, %rd5; add.s64 "
      "%rd5, %rd5, %rd3;\n"
      "mov.u64 %rd6, own; cvta.local.u64 %rd6, %rd6;\n"
      "setp.ge.s32 %p1, %r1, 10; setp.ge.s32 %p2, %r1, 20; selp.b64 %rd7, %rd5, %rd4, %p1; selp.b64 %rd7, %rd6, %rd7, "
      "%p2;\n"
      "st.u32 [%rd7+4], %r1; ld.u32 %r3, [%rd7+4]; add.s64 %rd8, %rd2, %rd3; st.global.u32 [%rd8], %r3; ret;\n}\n");
  const std::uint64_t in = bench.array(std::vector<int>(33, -1)), out = bench.array(std::vector<int>(32));
  const LaunchResult result = bench.launch("k", {1}, {32}, {in, out});
  REQUIRE_FALSE(result.fault);
  const auto values = bench.read<int>(out, 32), stored = bench.read<int>(in, 33);
  for (int l = 0; l < 32; ++l) CHECK(values[l] == l);
  for (int i = 0; i < 33; ++i) CHECK(stored[i] == (i >= 1 && i <= 10 ? i - 1 : -1));
  CHECK(counters_of(bench, result, "ld.u32").bytes == 128);
}

TEST_CASE("faults of every space name the first lane and the size") {
  struct Case {
    const char* body;
    FaultKind kind;
    unsigned thread;
    std::uint32_t bytes;
    bool write;
    const char* says;
  };
  const Case cases[] = {
      {"ld.const.u32 %r5, [%rd1];", FaultKind::out_of_bounds, 0, 4, false, "of constant memory"},
      {"st.shared.u32 [%r4], %r1;", FaultKind::out_of_bounds, 28, 4, true, "shared memory"},
      {"mov.u32 %r4, -4; ld.shared.u32 %r5, [%r4];", FaultKind::out_of_bounds, 0, 4, false, "shared memory"},
      {"ld.shared.v2.u32 {%r5, %r6}, [%r4];", FaultKind::misaligned, 1, 8, false, "not a multiple of 8"},
      {"ld.global.u32 %r5, [%rd4];", FaultKind::out_of_bounds, 5, 4, false, "past the end"},
      {"ld.global.u64 %rd5, [%rd4];", FaultKind::misaligned, 1, 8, false, "not a multiple of 8"},
      {"ld.u32 %r5, [%rd4+-400];", FaultKind::out_of_bounds, 0, 4, false, "400 bytes before the start"},
      {"atom.shared.add.u32 %r5, [%r4], 1;", FaultKind::out_of_bounds, 28, 4, true, "shared memory"},
      {"red.global.add.u32 [%rd4], 1;", FaultKind::out_of_bounds, 5, 4, true, "past the end"},
      {"mov.u64 %rd5, 0; ld.global.u32 %r5, [%rd5+16];", FaultKind::out_of_bounds, 0, 4, false, "null pointer"},
      {"cvta.local.u64 %rd5, 0; atom.add.u32 %r5, [%rd5], 1;", FaultKind::wrong_space, 0, 4, true, "local memory"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.body);
    // Shared offset 912 + 4 * lane: lane 28 is past the 1024 bytes of `tile`. Global: five words.
    Bench bench(kernel(at(1) + "mul.lo.s32 %r4, %r1, 4; add.s32 %r4, %r4, 912; mov.u64 %rd4, %rd3;\n" + c.body));
    const std::uint64_t in = bench.array(std::vector<int>(5));
    const LaunchResult result = bench.launch("k", {1}, {32}, {in, 0});
    REQUIRE(result.fault);
    CHECK(result.fault.kind == c.kind);
    CHECK(result.fault.thread[0] == c.thread);
    CHECK(result.fault.bytes == c.bytes);
    CHECK(result.fault.write == c.write);
    INFO(result.fault.message);
    CHECK(result.fault.message.find(c.says) != std::string::npos);
  }
}

TEST_CASE("lanes whose guard is false do not fault") {
  Bench bench(kernel(at(1) + "setp.lt.s32 %p1, %r1, 5; @%p1 ld.global.u32 %r5, [%rd3];"));
  const std::uint64_t in = bench.array(std::vector<int>(5));
  CHECK_FALSE(bench.launch("k", {1}, {32}, {in, 0}).fault);
}

TEST_CASE("lanes may reach into different allocations") {
  Bench bench(
      kernel("setp.lt.s32 %p1, %r1, 16; selp.b64 %rd3, %rd1, %rd2, %p1; and.b32 %r3, %r1, 15;\n"
             "mul.wide.s32 %rd4, %r3, 4; add.s64 %rd3, %rd3, %rd4; ld.global.u32 %r4, [%rd3];\n"
             "add.u32 %r4, %r4, 1; st.global.u32 [%rd3], %r4;"));
  const std::uint64_t a = bench.array(numbers(16)), gap = bench.array(numbers(4000)), b = bench.array(numbers(16));
  const LaunchResult result = bench.launch("k", {1}, {32}, {a, b});
  REQUIRE_FALSE(result.fault);
  CHECK(bench.read<int>(a, 16)[15] == 116);
  CHECK(bench.read<int>(b, 16)[15] == 116);
  CHECK(bench.read<int>(gap, 4000) == numbers(4000));
  CHECK(counters_of(bench, result, "ld.global.u32").sectors == 4);
}

TEST_CASE("atomics execute in lane order and return the old value") {
  Bench bench(kernel(at(1) + "atom.global.add.u32 %r4, [%rd1], 2; st.global.u32 [%rd4], %r4;"));
  const std::uint64_t in = bench.array(std::vector<int>{1000}), out = bench.array(std::vector<int>(96));
  const LaunchResult result = bench.launch("k", {1}, {96}, {in, out});
  REQUIRE_FALSE(result.fault);
  CHECK(bench.read<int>(in, 1)[0] == 1192);
  const auto values = bench.read<int>(out, 96);
  for (int t = 0; t < 96; ++t) CHECK(values[t] == 1000 + 2 * t);
  const MemoryCounters& counters = counters_of(bench, result, "atom.global.add.u32");
  CHECK(counters.requests == 3);
  CHECK(counters.sectors == 96);  // One address: a lane at a time.
  CHECK(counters.serialised == 96);
}

TEST_CASE("reductions of integers are the same on any number of threads") {
  // Histogram of thread % 7 over many blocks.
  Bench bench(
      kernel("mad.lo.s32 %r3, %r2, 256, %r1; rem.s32 %r4, %r3, 7; mul.wide.s32 %rd3, %r4, 4;\n"
             "add.s64 %rd3, %rd1, %rd3; red.global.add.u32 [%rd3], 1; red.global.max.s32 [%rd2], %r3;"));
  std::vector<std::uint64_t> sectors;
  for (const unsigned threads : {1u, 2u, 4u}) {
    const std::uint64_t bins = bench.array(std::vector<int>(7)), largest = bench.array(std::vector<int>(1, -5));
    bench.settings.threads = threads;
    const LaunchResult result = bench.launch("k", {700}, {256}, {bins, largest});
    REQUIRE_FALSE(result.fault);
    CHECK(bench.read<int>(bins, 7) == std::vector<int>(7, 25600));
    CHECK(bench.read<int>(largest, 1)[0] == 700 * 256 - 1);
    sectors.push_back(counters_of(bench, result, "red.global.add.u32").sectors);
  }
  CHECK(sectors == std::vector<std::uint64_t>(3, sectors[0]));
}

TEST_CASE("sums of floats in global memory flush subnormals, in shared memory they do not") {
  Bench bench(
      kernel("st.shared.f32 [tile], 0f00000001; red.shared.add.f32 [tile], 0f00000001; ld.shared.u32 %r4, [tile];\n"
             "red.global.add.f32 [%rd1], 0f00000001; st.global.u32 [%rd2], %r4;"));
  const std::uint64_t sum = bench.array(std::vector<std::uint32_t>{1}),
                      shared = bench.array(std::vector<std::uint32_t>(1));
  REQUIRE_FALSE(bench.launch("k", {1}, {1}, {sum, shared}).fault);
  CHECK(bench.read<std::uint32_t>(sum, 1)[0] == 0);
  CHECK(bench.read<std::uint32_t>(shared, 1)[0] == 2);
}

namespace {

/// The rules as written, with sets: the counts of one full-warp access at @p offset.
struct Expected {
  std::uint64_t sectors = 0, sectors_ideal = 0, lines = 0, wavefronts = 0;
  Expected(const std::vector<int>& offset, unsigned bytes, bool load) {
    std::set<int> distinct(offset.begin(), offset.end()), in_sector, in_line;
    for (const int o : distinct) {
      in_sector.insert(o / 32);
      in_line.insert(o / 128);
    }
    sectors = in_sector.size();
    lines = in_line.size();
    sectors_ideal = (distinct.size() * bytes + 31) / 32;
    unsigned per_group = 128 / bytes;
    for (const int partner : {1, 2}) {
      bool merges = load && bytes > 4;
      for (int l = 0; l < 32; ++l) merges = merges && offset[l] == offset[l ^ partner];
      if (!merges) continue;
      per_group *= 2;
      break;
    }
    for (unsigned first = 0; first < 32; first += per_group) {
      std::set<int> bank[32];
      for (unsigned l = first; l < first + per_group; ++l)
        for (unsigned w = 0; w < bytes / 4; ++w) bank[(offset[l] / 4 + w) % 32].insert(offset[l] / 4 + w);
      std::size_t worst = 0;
      for (const auto& words : bank) worst = std::max(worst, words.size());
      wavefronts += worst;
    }
  }
};

}  // namespace

TEST_CASE("accesses of any lanes are counted as the rules say") {
  std::mt19937 random(20261121);
  for (const unsigned bytes : {4u, 8u, 16u}) {
    const std::string type = bytes == 4 ? "u32" : bytes == 8 ? "v2.u32" : "v4.u32";
    const std::string values = bytes == 4 ? "%r5" : bytes == 8 ? "{%r5, %r6}" : "{%r5, %r6, %r7, %r8}";
    Bench bench(
        ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p0, .param .u64 p1)\n{\n"
        ".shared .align 16 .b8 tile[32768]; .reg .b32 %r<12>; .reg .b64 %rd<12>;\n"
        "ld.param.u64 %rd1, [p0]; ld.param.u64 %rd2, [p1]; mov.u32 %r1, %tid.x; mul.wide.s32 %rd3, %r1, 4;\n"
        "add.s64 %rd3, %rd1, %rd3; ld.global.nc.s32 %r2, [%rd3]; cvt.s64.s32 %rd4, %r2; add.s64 %rd5, %rd2, %rd4;\n"
        "mov.u32 %r3, tile; add.s32 %r4, %r3, %r2;\n"
        "ld.global." +
        type + " " + values + ", [%rd5]; st.global." + type + " [%rd5], " + values + ";\n" + "st.shared." + type +
        " [%r4], " + values + "; ld.shared." + type + " " + values + ", [%r4];\nret;\n}\n");
    const std::uint64_t data = bench.array(std::vector<int>(8192));
    for (int round = 0; round < 400; ++round) {
      const unsigned cells = 1u << random() % (bytes == 4 ? 14 : bytes == 8 ? 13 : 12);
      std::vector<int> offset(32);
      for (int l = 0; l < 32; ++l) offset[l] = static_cast<int>(random() % cells * bytes);
      if (round % 5 == 0) std::sort(offset.begin(), offset.end());
      for (int l = 0; l < 32; ++l) {
        if (round % 5 == 1) offset[l] = offset[l & ~1];
        if (round % 5 == 2) offset[l] = offset[l & ~2];
        if (round % 5 == 3) offset[l] = (offset[l & 16] + (l & 15) * static_cast<int>(bytes)) % 32768;
      }
      const LaunchResult result = bench.launch("k", {1}, {32}, {bench.array(offset), data});
      INFO(bytes << " bytes, round " << round << " of seed 20261121");
      REQUIRE_FALSE(result.fault);
      for (const std::string op : {"ld", "st"}) {
        const Expected expected(offset, bytes, op == "ld");
        const MemoryCounters& global = counters_of(bench, result, op + ".global." + type);
        const MemoryCounters& shared = counters_of(bench, result, op + ".shared." + type);
        CHECK(global.sectors == expected.sectors);
        CHECK(global.sectors_ideal == expected.sectors_ideal);
        CHECK(global.lines == expected.lines);
        CHECK(shared.wavefronts == expected.wavefronts);
      }
      CHECK(counters_of(bench, result, "ld.global." + type).sectors_hit == 0);
    }
  }
}

TEST_CASE("shared atomics take as many wavefronts as on an H200") {
  struct Case {
    const char* operation;
    const char* index;  // %r3 = element of lane %r1
    std::uint64_t wavefronts;
  };
  const Case cases[] = {
      {"red.shared.add.u32 [%r4], 1;", "mov.u32 %r3, %r1;", 1},
      {"red.shared.add.u32 [%r4], 1;", "shl.b32 %r3, %r1, 1;", 2},
      {"red.shared.min.u32 [%r4], 1;", "shr.u32 %r3, %r1, 1;", 2},
      {"red.shared.add.u32 [%r4], 1;", "shr.u32 %r3, %r1, 2;", 4},
      {"atom.shared.add.u32 %r5, [%r4], 1;", "and.b32 %r3, %r1, 7;", 4},
      {"red.shared.add.u32 [%r4], 1;", "mov.u32 %r3, 0;", 1},  // Combined by the compiler.
      {"atom.shared.cas.b32 %r5, [%r4], 0, 1;", "mov.u32 %r3, %r1;", 2},
      {"atom.shared.cas.b32 %r5, [%r4], 0, 1;", "mov.u32 %r3, 0;", 64},
  };
  for (const Case& c : cases) {
    CAPTURE(c.operation, c.index);
    Bench bench(kernel(std::string(c.index) + " shl.b32 %r4, %r3, 2; mov.u32 %r5, tile; add.u32 %r4, %r4, %r5;\n" +
                       c.operation));
    const LaunchResult result = bench.launch("k", {1}, {32}, {0, 0});
    REQUIRE_FALSE(result.fault);
    CHECK(result.counters.memory[0].wavefronts == c.wavefronts);
  }
}

TEST_CASE("shared accesses are counted by banks") {
  Bench bench(kernel(at(1) + "mul.lo.s32 %r4, %r1, 8; mov.u32 %r5, tile; add.s32 %r4, %r4, %r5;\n"
                             "st.shared.u32 [%r4], %r1; ld.shared.u32 %r6, [%r4]; st.global.u32 [%rd4], %r6;"));
  const std::uint64_t out = bench.array(std::vector<int>(32));
  const LaunchResult result = bench.launch("k", {1}, {32}, {0, out});
  REQUIRE_FALSE(result.fault);
  for (const char* form : {"ld.shared.u32", "st.shared.u32"}) {
    const MemoryCounters& counters = counters_of(bench, result, form);
    CHECK(counters.wavefronts == 2);
    CHECK(counters.wavefronts_ideal == 1);
    CHECK(counters.conflicts == 1);
    CHECK(counters.stride == 8);
    CHECK(counters.sectors == 0);
  }
  CHECK(bench.read<int>(out, 32)[31] == 31);
}

TEST_CASE(
    "an access to shared memory counts and moves the same, whether its addresses are known for the launch or not") {
  // %r4 is the address in the tile. With a zero loaded from memory added, it is unknown before the block runs.
  const auto run = [](const std::string& place, const std::string& lanes, bool known) {
    Bench bench(kernel("and.b32 %r3, %r1, 31;" + place + "mov.u32 %r5, tile; add.u32 %r5, %r5, %r4;\n" +
                       "ld.global.u32 %r9, [%rd2];" + (known ? "" : "add.u32 %r5, %r5, %r9;") +
                       "mad.lo.u32 %r7, %r2, 64, %r1; mul.wide.u32 %rd3, %r7, 4; add.s64 %rd4, %rd1, %rd3;\n" + lanes +
                       "@!%p1 bra done; st.shared.u32 [%r5+4], %r1; ld.shared.u32 %r6, [%r5+4];\n"
                       "ld.shared.u16 %r8, [%r5+6]; add.u32 %r6, %r6, %r8; add.u32 %r6, %r6, %r2;\n"
                       "st.global.u32 [%rd4], %r6; done:"));
    const std::uint64_t out = bench.array(std::vector<int>(192, -1)), zero = bench.array(std::vector<int>(1));
    const LaunchResult result = bench.launch("k", {3}, {64}, {out, zero});
    REQUIRE_FALSE(result.fault);
    std::vector<std::uint64_t> all;
    for (const int value : bench.read<int>(out, 192)) all.push_back(static_cast<std::uint64_t>(value));
    for (const char* spelling : {"st.shared.u32", "ld.shared.u32", "ld.shared.u16"}) {
      const MemoryCounters& c = counters_of(bench, result, spelling);
      const std::uint64_t counted[] = {
          c.requests,  c.bytes,           c.wavefronts, c.wavefronts_ideal,
          c.conflicts, c.stride_requests, c.sectors,    static_cast<std::uint64_t>(c.stride)};
      all.insert(all.end(), std::begin(counted), std::end(counted));
    }
    return all;
  };
  for (const std::string place :
       {"mul.lo.u32 %r4, %r3, 4;", "mul.lo.u32 %r4, %r3, 28;", "mul.lo.u32 %r4, %r3, 0;",
        "sub.u32 %r4, 31, %r3; mul.lo.u32 %r4, %r4, 8;", "and.b32 %r4, %r3, 15; mul.lo.u32 %r4, %r4, 4;",
        "shr.u32 %r4, %r3, 4; mul.lo.u32 %r4, %r4, 256;",
        "mul.lo.u32 %r4, %r3, 13; and.b32 %r4, %r4, 31; shl.b32 %r4, %r4, 4;"}) {
    for (const std::string lanes :
         {"setp.ge.u32 %p1, %r3, 0;", "setp.lt.u32 %p1, %r3, 10;", "setp.ge.u32 %p1, %r3, 16;",
          "setp.eq.u32 %p1, %r3, 7;", "and.b32 %r8, %r3, 5; setp.eq.u32 %p1, %r8, 1;",
          "add.u32 %r8, %r2, %r3; and.b32 %r8, %r8, 1; setp.eq.u32 %p1, %r8, 0;"}) {  // Different ones in each block.
      CAPTURE(place, lanes);
      CHECK(run(place, lanes, true) == run(place, lanes, false));
    }
  }
}

TEST_CASE("when each half-warp reads a row, the sectors and lines of both count") {
  for (const unsigned distance : {64u, 96u, 128u, 160u, 1984u, 2048u, 4096u}) {
    for (const bool backwards : {false, true}) {
      for (const unsigned offset : {0u, 32u, 64u, 68u}) {
        CAPTURE(distance, backwards, offset);
        Bench bench(kernel("shr.u32 %r3, %r1, 4;" + std::string(backwards ? "xor.b32 %r3, %r3, 1;" : "") +
                           "mul.lo.u32 %r3, %r3, " + std::to_string(distance) +
                           "; and.b32 %r4, %r1, 15; mad.lo.u32 %r3, %r4, 4, %r3; add.u32 %r3, %r3, " +
                           std::to_string(offset) +
                           "; cvt.u64.u32 %rd3, %r3; add.s64 %rd3, %rd1, %rd3; ld.global.u32 %r5, [%rd3];\n"
                           "ld.global.ca.u32 %r6, [%rd3]; mul.wide.u32 %rd4, %r1, 4; add.s64 %rd4, %rd2, %rd4;\n"
                           "st.global.u32 [%rd4], %r5;"));
        const std::uint64_t in = bench.array(numbers(2048)), out = bench.array(std::vector<int>(32));
        const LaunchResult result = bench.launch("k", {1}, {32}, {in, out});
        REQUIRE_FALSE(result.fault);
        const auto values = bench.read<int>(out, 32);
        std::set<unsigned> sectors, lines;
        for (unsigned l = 0; l < 32; ++l) {
          const unsigned at = ((l / 16) ^ (backwards ? 1u : 0u)) * distance + l % 16 * 4 + offset;
          CHECK(values[l] == 100 + static_cast<int>(at / 4));
          sectors.insert(at / 32);
          lines.insert(at / 128);
        }
        const MemoryCounters& load = counters_of(bench, result, "ld.global.u32");
        CHECK(load.sectors == sectors.size());
        CHECK(load.sectors_ideal == 4);
        CHECK(load.lines == lines.size());
        CHECK(load.tag_wavefronts == (lines.size() + 3) / 4);
        CHECK(load.sectors_hit == 0);
        CHECK(counters_of(bench, result, "ld.global.ca.u32").sectors_hit == sectors.size());
        CHECK(result.counters.read_sectors == sectors.size());
      }
    }
  }
}

// The machine's guarantees: faults report their place, deadlocks are reported, and no result depends on the number of
// host threads.
#include "common/simulator/machine/schedule.h"
#include "common/simulator/machine/testing.h"
#include "common/testing/catch.h"

using namespace warpbook::simulator;
using testing::Bench;
using testing::kernel;

namespace {

/// out[global thread] = block * 1000 + thread
const char* kFill =
    "mad.lo.s32 %r3, %r2, 64, %r1; mad.lo.s32 %r4, %r2, 1000, %r1;\n"
    "mul.wide.s32 %rd3, %r3, 4; add.s64 %rd4, %rd1, %rd3; st.global.u32 [%rd4], %r4;";

const InstructionCounters& counters_of(const Bench& bench, const LaunchResult& result, const std::string& spelling) {
  for (std::size_t i = 0; i < bench.program->details.size(); ++i) {
    if (bench.program->details[i].spelling == spelling) return result.counters.instructions[i];
  }
  throw std::runtime_error("no instruction " + spelling);
}

}  // namespace

TEST_CASE("every thread of every block runs once") {
  Bench bench(kernel(kFill));
  const std::uint64_t out = bench.array(std::vector<int>(640, -1));
  const LaunchResult result = bench.launch("k", {10}, {64}, {out, 0});
  REQUIRE_FALSE(result.fault);
  const auto values = bench.read<int>(out, 640);
  for (int i = 0; i < 640; ++i) CHECK(values[i] == i / 64 * 1000 + i % 64);
  CHECK(result.counters.blocks == 10);
  CHECK(result.counters.warps == 20);
  CHECK(result.counters.written_sectors == 80);
  CHECK(counters_of(bench, result, "st.global.u32").inst_executed == 20);
  CHECK(counters_of(bench, result, "st.global.u32").thread_inst_executed == 640);
}

TEST_CASE("lanes that do not exist and lanes behind a false guard do nothing") {
  Bench bench(
      kernel("setp.lt.s32 %p1, %r1, 5; mul.wide.s32 %rd3, %r1, 4; add.s64 %rd4, %rd1, %rd3;\n"
             "@%p1 st.global.u32 [%rd4], %r1;"));
  const std::uint64_t out = bench.array(std::vector<int>(32, -1));
  const LaunchResult result = bench.launch("k", {1}, {17}, {out, 0});
  REQUIRE_FALSE(result.fault);
  const auto values = bench.read<int>(out, 32);
  for (int i = 0; i < 32; ++i) CHECK(values[i] == (i < 5 ? i : -1));
  const InstructionCounters& store = counters_of(bench, result, "st.global.u32");
  CHECK(store.inst_executed == 1);
  CHECK(store.thread_inst_executed == 17);
  CHECK(store.thread_inst_executed_true == 5);
}

TEST_CASE("an access past an allocation is a fault with its place") {
  Bench bench(kernel(kFill));
  const std::uint64_t out = bench.array(std::vector<int>(100));
  const LaunchResult result = bench.launch("k", {2}, {64}, {out, 0});
  REQUIRE(result.fault);
  CHECK(result.fault.kind == FaultKind::out_of_bounds);
  CHECK(result.fault.address == out + 400);
  CHECK(result.fault.block[0] == 1);
  CHECK(result.fault.thread[0] == 36);
  CHECK(result.fault.bytes == 4);
  CHECK(result.fault.write);
  CHECK(bench.program->details[result.fault.operation].spelling == "st.global.u32");
}

TEST_CASE("blocks that share data give the results of block order, on any number of threads") {
  // Without an atomic: value = value * 3 + block. Only block order gives this result.
  const std::string body =
      "ld.global.u32 %r3, [%rd1]; mad.lo.s32 %r3, %r3, 3, %r2; st.global.u32 [%rd1], %r3;\n"
      "mov.u32 %r5, 0; again: add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 500; @%p1 bra again;";
  std::uint32_t expected = 1;
  for (std::uint32_t b = 0; b < 300; ++b) expected = expected * 3 + b;
  for (unsigned threads : {1u, 2u, 5u}) {
    Bench bench(kernel(body));
    bench.settings.threads = threads;
    const std::uint64_t out = bench.array(std::vector<std::uint32_t>{1});
    const LaunchResult result = bench.launch("k", {300}, {1}, {out, 0});
    REQUIRE_FALSE(result.fault);
    INFO("threads " << threads);
    CHECK(bench.read<std::uint32_t>(out, 1)[0] == expected);
    CHECK(result.counters.blocks == 300);
  }
}

TEST_CASE("counters are the same on any number of threads") {
  Bench bench(kernel(kFill));
  const std::uint64_t out = bench.array(std::vector<int>(64 * 5000));
  std::vector<LaunchResult> results;
  for (unsigned threads : {1u, 2u, 7u}) {
    bench.settings.threads = threads;
    results.push_back(bench.launch("k", {5000}, {64}, {out, 0}));
  }
  for (const LaunchResult& result : results) {
    CHECK(result.counters.critical_warp_inst == results[0].counters.critical_warp_inst);
    CHECK(result.counters.written_sectors == 64 * 5000 / 8);
    for (std::size_t i = 0; i < result.counters.instructions.size(); ++i) {
      CHECK(result.counters.instructions[i].inst_executed == results[0].counters.instructions[i].inst_executed);
    }
  }
}

TEST_CASE("a barrier that not all threads reach is reported, not waited for") {
  // Half of the threads wait at barrier 1 for 64 threads; the others exit.
  Bench bench(kernel("setp.ge.s32 %p1, %r1, 32; @%p1 bra done; bar.sync 1, 64; done:"));
  const LaunchResult result = bench.launch("k", {1}, {64}, {0, 0});
  REQUIRE(result.fault);
  CHECK(result.fault.kind == FaultKind::divergent_barrier);
  CHECK(result.fault.message ==
        "not all threads of the block reach one barrier: 32 threads wait at the barrier in PTX line 9 (bar.sync), "
        "warp 0; 32 threads have ended");
}

TEST_CASE("lanes that skip a warp barrier end, and so release the lanes waiting at it") {
  Bench bench(
      kernel("mov.u32 %r4, 0; setp.ge.s32 %p1, %r1, 2; @%p1 bra out;\nbar.warp.sync -1; mov.u32 %r4, 1;\n"
             "out: add.u32 %r4, %r4, 1;"));
  const LaunchResult result = bench.launch("k", {1}, {32}, {0, 0});
  CHECK_FALSE(result.fault);
}

TEST_CASE("a barrier in a branch of one warp is reported with both sides") {
  // The odd lanes of warp 1 skip the barrier and wait for the even ones at the reconvergence point after it.
  Bench bench(
      kernel("setp.lt.s32 %p1, %r1, 32; @%p1 bra in;\nand.b32 %r3, %r1, 1; setp.ne.s32 %p2, %r3, 0; @%p2 bra out;\n"
             "in: bar.sync 0;\nout: add.u32 %r4, %r4, 1;"));
  const LaunchResult result = bench.launch("k", {3}, {64}, {0, 0});
  REQUIRE(result.fault);
  CHECK(result.fault.kind == FaultKind::divergent_barrier);
  CHECK(result.fault.message ==
        "not all threads of the block reach one barrier: 48 threads wait at the barrier in PTX line 11 (bar.sync), "
        "warps 0, 1; 16 threads are past that, in PTX line 12, and wait for the rest of the warp, warp 1");
  CHECK(result.fault.thread[0] == 0);
  CHECK(bench.program->details[result.fault.operation].spelling == "bar.sync");
}

TEST_CASE("a grid that waits for a value that is never written is a deadlock, found quickly") {
  // Thread 0 of each block waits for a word that stays 0; the others wait at the barrier.
  Bench bench(
      kernel("setp.ne.s32 %p1, %r1, 0; @%p1 bra done;\nagain: ld.acquire.gpu.u32 %r3, [%rd1]; setp.eq.s32 %p2, %r3, 0;"
             "@%p2 bra again;\ndone: bar.sync 0;"));
  const std::uint64_t flag = bench.array(std::vector<int>{0});
  bench.settings.resident_blocks = 4;
  bench.settings.step_limit = 10000000;
  for (std::uint32_t blocks : {1u, 4u, 100u}) {
    const LaunchResult result = bench.launch("k", {blocks}, {64}, {flag, 0});
    REQUIRE(result.fault);
    CHECK(result.fault.kind == FaultKind::deadlock);
    // The loop comes first, and is the place of the fault: the others wait for it.
    CHECK(result.fault.message.find("the grid loops forever: ") == 0);
    CHECK(result.fault.message.find("in a loop in PTX line") < result.fault.message.find("wait at the barrier"));
    CHECK(bench.program->details[result.fault.operation].ptx_line == 10);
    CHECK(result.fault.message.find("in a loop in PTX line 10 that never ends, waiting for 4 bytes at byte 0 of ") !=
          std::string::npos);
    CHECK(result.fault.message.find(", which hold 0 (0x0)") != std::string::npos);
  }
}

TEST_CASE("a loop before a reduction of the warp is what the report names, not the lanes that wait there") {
  const std::string rest = "done: redux.sync.add.s32 %r4, %r1, 0xffffffff;";
  for (const std::uint64_t seed : {0, 1, 2, 3}) {
    Bench polling(kernel("setp.ne.s32 %p1, %r1, 5; @%p1 bra done;\nagain: ld.volatile.global.u32 %r3, [%rd1]; "
                         "setp.eq.s32 %p2, %r3, 0;"
                         "@%p2 bra again;\n" +
                         rest),
                  {.turns_end_at_accesses = Schedule(seed).turns});
    polling.settings.schedule_seed = seed;
    const LaunchResult polled = polling.launch("k", {1}, {32}, {polling.array(std::vector<int>{0}), 0});
    INFO(polled.fault.message);
    CHECK(polled.fault.kind == FaultKind::deadlock);
    CHECK(polled.fault.cause == FaultCause::loop);
    CHECK(polled.fault.message.find("the grid loops forever: 1 thread is in a loop in PTX line 10 that never ends") ==
          0);
    CHECK(polled.fault.message.find(
              "; 31 threads wait in PTX line 11 for other lanes of the warp (redux.sync.add.s32)") !=
          std::string::npos);
    CHECK(polled.fault.thread[0] == 5);
    CHECK(polling.program->details[polled.fault.operation].ptx_line == 10);
  }
  for (const std::uint64_t seed : {0, 1, 2, 3}) {
    Bench counting(kernel(
        "setp.ne.s32 %p1, %r1, 5; mov.u32 %r3, 0; @%p1 bra done;\nagain: add.u32 %r3, %r3, 1; bra again;\n" + rest));
    counting.settings.schedule_seed = seed;
    counting.settings.step_limit = 100000;
    const LaunchResult counted = counting.launch("k", {1}, {32}, {0, 0});
    INFO(counted.fault.message);
    CHECK(counted.fault.kind == FaultKind::step_limit);
    CHECK(counted.fault.message.find("too much work: 1 thread runs in PTX line 10, warp 0; ") != std::string::npos);
    CHECK(counting.program->details[counted.fault.operation].ptx_line == 10);
  }
}

TEST_CASE("lanes of a warp meet only with one mask, in whatever order they come") {
  // The lower half names itself, the upper half all: those wait for the lower half, which is at the block's barrier.
  const std::string differ =
      "setp.lt.u32 %p1, %r1, 16; @%p1 bra low;\nbar.warp.sync -1; bra meet;\nlow: bar.warp.sync 0xffff;\nmeet: "
      "bar.sync 0;";
  // Pairs of lanes, of which each lane is at a place of its own.
  const std::string pairs =
      "and.b32 %r3, %r1, 30; shl.b32 %r4, 3, %r3; and.b32 %r5, %r1, 1; setp.eq.u32 %p1, %r5, 0; @%p1 bra even;\n"
      "bar.warp.sync %r4; bra meet;\neven: bar.warp.sync %r4;\nmeet: bar.sync 0;";
  for (std::uint64_t seed = 0; seed < 16; ++seed) {
    for (const std::string& body : {differ, pairs}) {
      Bench bench(kernel(body), {.turns_end_at_accesses = Schedule(seed).turns});
      bench.settings.schedule_seed = seed;
      const LaunchResult result = bench.launch("k", {1}, {32}, {0, 0});
      INFO(seed << result.fault.message);
      CHECK((result.fault.kind == FaultKind::divergent_barrier) == (body == differ));
    }
  }
}

TEST_CASE("blocks that wait for later ones cost little, and none waits forever") {
  // Block b waits until block b + 1 has set its word; the last one waits for nobody.
  Bench bench(
      kernel("mul.wide.s32 %rd3, %r2, 4; add.s64 %rd4, %rd1, %rd3; mov.u32 %r6, %nctaid.x; sub.u32 %r6, %r6, 1;\n"
             "setp.eq.s32 %p1, %r2, %r6; @%p1 bra done;\n"
             "again: ld.acquire.gpu.u32 %r3, [%rd4+4]; setp.eq.s32 %p2, %r3, 0; @%p2 bra again;\n"
             "done: mov.u32 %r4, 1; st.release.gpu.u32 [%rd4], %r4;"));
  bench.settings.resident_blocks = 512;
  bench.settings.step_limit = 40000000;
  const std::uint64_t words = bench.array(std::vector<int>(513));
  const LaunchResult result = bench.launch("k", {512}, {32}, {words, 0});
  CHECK(result.fault.message == "");
  for (int value : bench.read<int>(words, 512)) CHECK(value == 1);
}

TEST_CASE("a loop that counts is not a deadlock, nor is one that reads the clock") {
  for (const char* loop : {"mov.u32 %r3, 0; again: add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, 3000000; @%p1 bra again;",
                           "mov.u64 %rd3, %clock64; again: mov.u64 %rd4, %clock64; sub.u64 %rd4, %rd4, %rd3;\n"
                           "setp.lt.u64 %p1, %rd4, 200000; @%p1 bra again;"}) {
    Bench bench(kernel(loop));
    CHECK(bench.launch("k", {2}, {64}, {0, 0}).fault.message == "");
  }
}

TEST_CASE("two readings of the clock are as far apart as the instructions between them, in one basic block too") {
  Bench bench(
      kernel("mov.u64 %rd3, %clock64; mov.u32 %r3, %clock; add.u32 %r4, %r3, 1; add.u32 %r4, %r4, 1;\n"
             "mov.u32 %r5, %clock; sub.u32 %r5, %r5, %r3; setp.eq.u32 %p1, %r4, 0; @%p1 mov.u32 %r4, %clock;\n"
             "mov.u64 %rd4, %clock64; sub.u64 %rd4, %rd4, %rd3; cvt.u32.u64 %r6, %rd4;\n"
             "st.global.u32 [%rd1], %r5; st.global.u32 [%rd1+4], %r6;"));
  const std::uint64_t out = bench.array(std::vector<std::uint32_t>(2));
  REQUIRE(bench.launch("k", {1}, {32}, {out, 0}).fault.message == "");
  CHECK(bench.read<std::uint32_t>(out, 2) == std::vector<std::uint32_t>{3, 8});
}

TEST_CASE("no warp sees a clock go back, within basic blocks and across barriers") {
  Bench bench(kernel(
      "mov.u32 %r3, 0; mov.u32 %r4, 0; mov.u64 %rd3, 0;\n"
      "again: mov.u64 %rd4, %clock64; setp.le.u64 %p1, %rd4, %rd3; selp.u32 %r5, 1, 0, %p1; add.u32 %r4, %r4, %r5;\n"
      "bar.sync 0; mov.u64 %rd3, %clock64; setp.le.u64 %p1, %rd3, %rd4; selp.u32 %r5, 1, 0, %p1;\n"
      "add.u32 %r4, %r4, %r5; add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, 50; @%p1 bra again;\n"
      "mul.wide.u32 %rd3, %r1, 4; add.u64 %rd4, %rd1, %rd3; st.global.u32 [%rd4], %r4;"));
  const std::uint64_t out = bench.array(std::vector<int>(128, -1));
  REQUIRE_FALSE(bench.launch("k", {1}, {128}, {out, 0}).fault);
  for (int backwards : bench.read<int>(out, 128)) CHECK(backwards == 0);
}

TEST_CASE("an endless loop ends at the step limit") {
  Bench bench(kernel("again: add.u32 %r3, %r3, 1; bra again;"));
  bench.settings.step_limit = 100000;
  const LaunchResult result = bench.launch("k", {4}, {64}, {0, 0});
  REQUIRE(result.fault);
  CHECK(result.fault.kind == FaultKind::step_limit);
}

TEST_CASE("a loop whose lanes diverge and reconverge in each iteration ends at the step limit, too") {
  Bench bench(kernel(
      "mov.u32 %r4, %tid.x; setp.ne.u32 %p1, %r4, 0; mov.u32 %r3, 0;\n"
      "again: @%p1 bra meet; add.u32 %r3, %r3, 1; st.global.u32 [%rd1], %r3; meet: add.u32 %r4, %r4, 1; bra again;"));
  const std::uint64_t out = bench.array(std::vector<std::uint32_t>(1));
  bench.settings.step_limit = 3000000;
  const LaunchResult result = bench.launch("k", {1}, {32}, {out, 0});
  REQUIRE(result.fault);
  CHECK(result.fault.kind == FaultKind::step_limit);
}

TEST_CASE("a decimal literal gets the type of its operand") {
  Bench bench(
      kernel(".reg .f32 %s; .reg .f64 %d; add.f32 %s, 0f40000000, 0.1; add.f64 %d, 0f40000000, 0.1;\n"
             "st.global.f32 [%rd1], %s; st.global.f64 [%rd1+8], %d;"));
  const std::uint64_t out = bench.array(std::vector<double>(2));
  REQUIRE_FALSE(bench.launch("k", {1}, {1}, {out, 0}).fault);
  CHECK(bench.read<float>(out, 1)[0] == 2.1f);
  CHECK(bench.read<double>(out, 2)[1] == 2.1);
}

TEST_CASE("an instruction that is not supported is named with all its modifiers") {
  // Behind a branch that all lanes take: at the beginning it would be refused when the module is decoded.
  Bench bench(kernel("setp.ge.s32 %p1, %r1, 0; @%p1 bra there; ret; there: tcgen05.wait::ld.sync.aligned;"));
  const LaunchResult result = bench.launch("k", {1}, {32}, {0, 0});
  REQUIRE(result.fault);
  CHECK(result.fault.kind == FaultKind::unsupported);
  CHECK(result.fault.message.find("tcgen05.wait::ld.sync.aligned") != std::string::npos);
}

TEST_CASE("an instruction that no lane reaches need not be supported") {
  Bench bench(kernel("setp.gt.s32 %p1, %r1, 100; @!%p1 bra done; tcgen05.wait::ld.sync.aligned; done:"));
  CHECK_FALSE(bench.launch("k", {1}, {32}, {0, 0}).fault);
}

TEST_CASE("an indexed branch takes each lane to its own target") {
  Bench bench(
      kernel("and.b32 %r3, %r1, 3; mov.u32 %r4, 0; targets: .branchtargets a, b, c, d;\n"
             "brx.idx %r3, targets;\n"
             "a: add.u32 %r4, %r4, 1; bra done; b: add.u32 %r4, %r4, 20; bra done;\n"
             "c: add.u32 %r4, %r4, 300; d: add.u32 %r4, %r4, 4000;\n"
             "done: mul.wide.s32 %rd3, %r1, 4; add.s64 %rd4, %rd1, %rd3; st.global.u32 [%rd4], %r4;"));
  const std::uint64_t out = bench.array(std::vector<int>(32));
  const LaunchResult result = bench.launch("k", {1}, {32}, {out, 0});
  REQUIRE_FALSE(result.fault);
  const int expected[] = {1, 20, 4300, 4000};
  const auto values = bench.read<int>(out, 32);
  for (int i = 0; i < 32; ++i) CHECK(values[i] == expected[i % 4]);
  CHECK(counters_of(bench, result, "st.global.u32").inst_executed == 1);  // All lanes have reconverged.
}

TEST_CASE("trap and brkpt fail the launch") {
  for (const char* instruction : {"trap;", "brkpt;"}) {
    Bench bench(kernel(instruction));
    const LaunchResult result = bench.launch("k", {3}, {32}, {0, 0});
    REQUIRE(result.fault);
    CHECK(result.fault.kind == FaultKind::trap);
  }
}

TEST_CASE("exit ends lanes one by one") {
  Bench bench(
      kernel("setp.lt.s32 %p1, %r1, 10; @%p1 exit; mul.wide.s32 %rd3, %r1, 4; add.s64 %rd4, %rd1, %rd3;\n"
             "st.global.u32 [%rd4], %r1;"));
  const std::uint64_t out = bench.array(std::vector<int>(32, -1));
  const LaunchResult result = bench.launch("k", {1}, {32}, {out, 0});
  REQUIRE_FALSE(result.fault);
  const auto values = bench.read<int>(out, 32);
  for (int i = 0; i < 32; ++i) CHECK(values[i] == (i < 10 ? -1 : i));
  CHECK(counters_of(bench, result, "st.global.u32").thread_inst_executed == 22);
}

TEST_CASE("a seed changes the order of warps and nothing else") {
  // Each warp records its turn: without a barrier the order of the warps shows.
  const std::string body =
      "and.b32 %r3, %r1, 31; setp.ne.s32 %p1, %r3, 0; @%p1 bra done; atom.global.add.u32 %r4, [%rd1], 1;\n"
      "shr.u32 %r5, %r1, 5; mul.wide.s32 %rd3, %r5, 4; add.s64 %rd4, %rd1, %rd3; st.global.u32 [%rd4+4], %r4; done:";
  const auto order = [&](std::uint64_t seed) {
    Bench bench(kernel(body));
    bench.settings.schedule_seed = seed;
    const std::uint64_t out = bench.array(std::vector<int>(9));
    const LaunchResult result = bench.launch("k", {1}, {256}, {out, 0});
    REQUIRE_FALSE(result.fault);
    return bench.read<int>(out, 9);
  };
  CHECK(order(0) == std::vector<int>{8, 0, 1, 2, 3, 4, 5, 6, 7});
  CHECK(order(1) == order(1));
  CHECK(order(1) != order(0));
  CHECK(order(2) != order(1));
}

TEST_CASE("a seed with short turns interleaves blocks between the load and the store of a sum") {
  const std::string body =
      "ld.volatile.global.u32 %r3, [%rd1]; add.u32 %r3, %r3, 1; st.volatile.global.u32 [%rd1], %r3;";
  const auto sum = [&](std::uint64_t seed) {
    Bench bench(kernel(body), {.turns_end_at_accesses = Schedule(seed).turns});
    bench.settings.schedule_seed = seed;
    bench.settings.resident_blocks = 132;
    const std::uint64_t out = bench.array(std::vector<int>(1));
    const LaunchResult result = bench.launch("k", {64}, {1}, {out, 0});
    REQUIRE_FALSE(result.fault);
    CHECK(result.counters.blocks == 64);
    return bench.read<int>(out, 1)[0];
  };
  CHECK(sum(0) == 64);
  CHECK(sum(8) == 64);  // Another order of blocks, each run to its end.
  CHECK(sum(9) < 64);
  CHECK(sum(9) == sum(9));
  CHECK(sum(11) < 64);
}

TEST_CASE("scattered lanes of shared memory may be displaced backwards, again and again") {
  // Lane l stores l at word 5 l mod 32 of the tile, and reads it back from 128 bytes before.
  Bench bench(kernel(
      "mul.lo.u32 %r3, %r1, 5; and.b32 %r3, %r3, 31; shl.b32 %r3, %r3, 2; mov.u32 %r4, tile; add.u32 %r4, %r4, %r3;\n"
      "st.shared.u32 [%r4], %r1; bar.sync 0; add.u32 %r5, %r4, 128; mov.u32 %r6, 0; mov.u32 %r7, 0;\n"
      "again: ld.shared.u32 %r8, [%r5+-128]; add.u32 %r7, %r7, %r8; add.u32 %r6, %r6, 1;\n"
      "setp.lt.u32 %p1, %r6, 4; @%p1 bra again;\n"
      "mul.wide.u32 %rd3, %r1, 4; add.s64 %rd3, %rd1, %rd3; st.global.u32 [%rd3], %r7;"));
  for (const std::uint32_t threads : {32u, 20u}) {
    const std::uint64_t out = bench.array(std::vector<std::uint32_t>(32, 0));
    const LaunchResult result = bench.launch("k", {1, 1, 1}, {threads, 1, 1}, {out, out});
    INFO(result.fault.message);
    REQUIRE_FALSE(result.fault);
    const auto sums = bench.read<std::uint32_t>(out, threads);
    for (std::uint32_t lane = 0; lane < threads; ++lane) CHECK(sums[lane] == 4 * lane);
  }
}

TEST_CASE("a seed that separates lanes shows missing warp synchronisation") {
  // Lane l takes what lane l ^ 1 has left in shared memory.
  const auto taken = [&](std::uint64_t seed, const std::string& between) {
    Bench bench(kernel("mov.u32 %r3, tile; shl.b32 %r4, %r1, 2; add.u32 %r5, %r3, %r4; st.shared.u32 [%r5], %r1;\n" +
                       between +
                       "xor.b32 %r6, %r4, 4; add.u32 %r6, %r3, %r6; ld.shared.u32 %r7, [%r6];\n"
                       "cvt.u64.u32 %rd3, %r4; add.s64 %rd4, %rd1, %rd3; st.global.u32 [%rd4], %r7;"));
    bench.settings.schedule_seed = seed;
    const std::uint64_t out = bench.array(std::vector<int>(32));
    const LaunchResult result = bench.launch("k", {1}, {32}, {out, 0});
    REQUIRE_FALSE(result.fault);
    const auto values = bench.read<int>(out, 32);
    int right = 0;
    for (int i = 0; i < 32; ++i) right += values[i] == (i ^ 1) ? 1 : 0;
    return right;
  };
  CHECK(taken(0, "") == 32);
  CHECK(taken(4, "") == 32);
  CHECK(taken(2, "") < 32);
  CHECK(taken(2, "bar.warp.sync -1;\n") == 32);
  CHECK(taken(2, "bar.sync 0;\n") == 32);
  CHECK(taken(3, "bar.warp.sync -1;\n") == 32);
}

TEST_CASE("an asynchronous copy completes when its thread waits for its group, not before") {
  // Two groups of 4 bytes; the contents of tile[0] and tile[1] afterwards go to out.
  const auto found = [&](const std::string& wait) {
    Bench bench(
        kernel("mov.u32 %r3, tile; st.shared.u32 [%r3], 1; st.shared.u32 [%r3+4], 1;\n"
               "cp.async.ca.shared.global [%r3], [%rd2], 4; cp.async.commit_group;\n"
               "cp.async.ca.shared.global [%r3+4], [%rd2+4], 4;" +
               wait +
               "bar.sync 0; ld.shared.u32 %r4, [%r3]; ld.shared.u32 %r5, [%r3+4];\n"
               "st.global.u32 [%rd1], %r4; st.global.u32 [%rd1+4], %r5;"));
    const std::uint64_t out = bench.array(std::vector<int>(2)), in = bench.array(std::vector<int>{7, 8});
    REQUIRE_FALSE(bench.launch("k", {1}, {1}, {out, in}).fault);
    return bench.read<int>(out, 2);
  };
  CHECK(found("") == std::vector{1, 1});
  CHECK(found("cp.async.wait_group 0;") == std::vector{7, 1});
  CHECK(found("cp.async.commit_group; cp.async.wait_group 2;") == std::vector{1, 1});
  CHECK(found("cp.async.commit_group; cp.async.wait_group 1;") == std::vector{7, 1});
  CHECK(found("cp.async.commit_group; cp.async.wait_group 0;") == std::vector{7, 8});
  CHECK(found("cp.async.wait_all;") == std::vector{7, 8});
}

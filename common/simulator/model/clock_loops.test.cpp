// Tests of loops that wait for a clock, on PTX kernels that are executed.
#include "common/simulator/model/clock_loops.h"

#include "common/simulator/machine/testing.h"
#include "common/simulator/model/near.h"
#include "common/testing/catch.h"

using namespace warpbook::simulator;
using testing::Bench;
using testing::kernel;

namespace {

struct Waited {
  KernelTime time;
  double cycles = 0;
};

Waited waited(const std::string& body, unsigned blocks, unsigned threads) {
  Bench bench(kernel(body));
  LaunchResult result =
      bench.launch("k", {blocks, 1, 1}, {threads, 1, 1},
                   {bench.array(std::vector<std::uint32_t>(16, 0)), bench.array(std::vector<std::uint32_t>(16, 0))});
  REQUIRE(result.fault.kind == FaultKind::none);
  Waited answer;
  answer.cycles = take_out_clock_loops(*bench.program, result.counters);
  const Device& device = load_device("h200");
  answer.time = predict(
      device, {*bench.program, *bench.program->find("k"), {blocks, 1, 1}, {threads, 1, 1}, 1024, 16, result.counters});
  add_clock_time(device, answer.cycles, blocks, answer.time);
  return answer;
}

std::string spin(unsigned cycles, const std::string& more = "") {
  return "mov.u64 %rd3, %clock64;\n"
         "again: " +
         more + "mov.u64 %rd4, %clock64; sub.s64 %rd4, %rd4, %rd3; setp.lt.s64 %p1, %rd4, " + std::to_string(cycles) +
         "; @%p1 bra again;\n";
}

}  // namespace

// As on an H200 (driver 580.159, CUDA 13.0, 2026-11-23; validation/timeline/clocks): a spin of 1980000 cycles takes
// 1000 us plus a launch, for any number of warps.
TEST_CASE("a loop that waits for a clock takes as long as the clock says") {
  for (const unsigned threads : {32u, 256u}) {
    const Waited answer = waited(spin(198000), 1, threads);
    CAPTURE(threads, answer.cycles, answer.time.us);
    CHECK(near(answer.cycles, 198000, 0.01));
    CHECK(near(answer.time.us, 102, 0.02));
    CHECK(answer.time.limiter == "clock");
  }
}

// There, a loop that sleeps 100 ns at a time until 100000 cycles have passed ends after 100184, in 53.5 us with the
// time that events around a kernel add.
TEST_CASE("it may sleep meanwhile") {
  for (const unsigned threads : {32u, 256u}) {
    const Waited answer = waited(spin(100000, "nanosleep.u32 100;\n"), 1, threads);
    CAPTURE(threads, answer.cycles, answer.time.us);
    CHECK(near(answer.cycles, 100184, 0.01));
    CHECK(near(answer.time.us, 53.5, 0.03));
    CHECK(answer.time.limiter == "clock");
  }
}

TEST_CASE("blocks that do not fit at once wait one after the other") {
  const double one = waited(spin(19800), 264, 1024).time.us, two = waited(spin(19800), 265, 1024).time.us;
  CHECK(near(two - one, 10, 0.1));
}

TEST_CASE("a loop that works is none that waits, whether it looks at a clock or not") {
  CHECK(waited(spin(5000, "ld.global.u32 %r5, [%rd1];\n"), 1, 32).cycles == 0);
  CHECK(waited("mov.u32 %r5, 0;\nagain: add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 1000; @%p1 bra again;\n", 1, 32)
            .cycles == 0);
  CHECK(waited("mov.u64 %rd3, %clock64; mov.u64 %rd4, %clock64;\n", 1, 32).cycles == 0);
}

// Tests of small ladders on every built-in device: their rungs have the same order as on any GPU.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "common/simulator/machine/testing.h"
#include "common/simulator/model/built_in_devices.h"
#include "common/simulator/model/time_model.h"
#include "common/testing/catch.h"

using namespace warpbook::simulator;
using testing::Bench;
using testing::kernel;

namespace {

/// A kernel that has run once; its work is the same for every device.
struct Rung {
  std::unique_ptr<Program> program;
  Dim3 grid, block;
  Counters counters;
  double us_on(const Device& device) const {
    return predict(device, {*program, *program->find("k"), grid, block, 4096, 16, counters}).us;
  }
};

Rung rung(const std::string& body, unsigned blocks, unsigned threads) {
  Bench bench(kernel(body));
  const std::vector<std::uint32_t> values(std::size_t{1} << 19, 0);
  const Dim3 grid{blocks, 1, 1}, block{threads, 1, 1};
  LaunchResult result = bench.launch("k", grid, block, {bench.array(values), bench.array(values)});
  REQUIRE(result.fault.kind == FaultKind::none);
  return {std::move(bench.program), grid, block, std::move(result.counters)};
}

/// The thread's number in the grid, times @p words of 4 bytes, added to the first array: %rd4.
std::string address(unsigned words) {
  return "mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mad.lo.u32 %r4, %r2, %r3, %r1;\n"
         "mul.wide.u32 %rd3, %r4, " +
         std::to_string(4 * words) + "; add.s64 %rd4, %rd1, %rd3;\n";
}

std::string loop(const std::string& body, unsigned times) {
  return "mov.u32 %r7, 0;\nagain: " + body + "add.u32 %r7, %r7, 1; setp.lt.u32 %p1, %r7, " + std::to_string(times) +
         "; @%p1 bra again;\n";
}

}  // namespace

TEST_CASE("the rungs of ladders are in the same order on every device") {
  const std::string load = "ld.global.u32 %r5, [%rd4]; st.global.u32 [%rd4], %r5;\n";
  const Rung coalesced = rung(address(1) + load, 64, 256), strided = rung(address(32) + load, 64, 256);
  const std::string fma = "fma.rn.f32 %f1, %f1, %f1, %f1; fma.rn.f32 %f2, %f2, %f2, %f2;\n";
  const Rung little = rung(loop(fma, 100), 256, 256), more = rung(loop(fma + fma, 100), 256, 256);
  const Rung few_blocks = rung(loop(fma, 400), 4, 256), many_blocks = rung(loop(fma, 100), 16, 256);
  for (const BuiltInDevice& built_in : built_in_devices()) {
    const Device& device = load_device(built_in.name);
    CAPTURE(device.name, coalesced.us_on(device), strided.us_on(device), little.us_on(device), more.us_on(device));
    CHECK(coalesced.us_on(device) < strided.us_on(device));
    CHECK(little.us_on(device) < more.us_on(device));
    CHECK(many_blocks.us_on(device) < few_blocks.us_on(device));
  }
  // More SMs at a higher clock take less time for the same work.
  CHECK(more.us_on(load_device("h200")) < more.us_on(load_device("t4")));
  CHECK(more.us_on(load_device("t4")) < more.us_on(load_device("jetson-orin")));
}

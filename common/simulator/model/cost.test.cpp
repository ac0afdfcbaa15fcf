// What the model itself costs: it must stay small beside the execution that it is computed from.
#include <algorithm>
#include <ctime>

#include "common/simulator/machine/testing.h"
#include "common/simulator/model/time_model.h"
#include "common/testing/catch.h"

using namespace warpbook::simulator;
using testing::Bench;
using testing::kernel;

namespace {

/// CPU time of this thread, in seconds: what else runs on the machine does not count.
double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// The model's part of the CPU time that a launch and its prediction take, both measured in turn.
double share_of_model(const std::string& body, unsigned blocks) {
  Bench bench(kernel(body));
  bench.settings.threads = 1;
  const std::uint64_t in = bench.array(std::vector<std::uint32_t>(1 << 16, 1)),
                      out = bench.array(std::vector<std::uint32_t>(1 << 16, 0));
  const Device& device = load_device("h200");
  double run = 1e9, model = 1e9;
  for (int round = 0; round < 9; ++round) {
    const double begin = cpu_seconds();
    const LaunchResult result = bench.launch("k", {blocks, 1, 1}, {256, 1, 1}, {in, out});
    const double end = cpu_seconds();
    REQUIRE(result.fault.kind == FaultKind::none);
    const KernelTime time = predict(
        device, {*bench.program, *bench.program->find("k"), {blocks, 1, 1}, {256, 1, 1}, 1024, 32, result.counters});
    run = std::min(run, end - begin);
    model = std::min(model, cpu_seconds() - end);
    REQUIRE(time.us > 0);
  }
  CAPTURE(1e6 * run, 1e6 * model);
  return model / (run + model);
}

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int k = 0; k < times; ++k) {
    all += text;
    for (std::size_t at = all.find('#'); at != std::string::npos; at = all.find('#'))
      all.replace(at, 1, std::to_string(k));
  }
  return all;
}

}  // namespace

TEST_CASE("the model costs less than 30 % of a run") {
  const std::string begin = "mul.wide.u32 %rd3, %r1, 4; add.s64 %rd4, %rd1, %rd3; ld.global.u32 %r5, [%rd4];\n",
                    end = "add.s64 %rd5, %rd2, %rd3; st.global.u32 [%rd5], %r5;\n";
  // The blocks of one wave; larger grids only make the run longer.
  struct Row {
    const char* what;
    std::string code;
  };
  for (const Row& row : {Row{"a few operations", "add.u32 %r5, %r5, 3;\n"},
                         Row{"a thousand operations in a row", repeated("mad.lo.u32 %r5, %r5, 3, %r1;\n", 1000)},
                         Row{"a hundred branches", repeated("setp.gt.u32 %p1, %r5, #; @%p1 bra over#;\n"
                                                            "add.u32 %r5, %r5, 7; xor.b32 %r5, %r5, %r1;\nover#:\n",
                                                            100)},
                         Row{"a hundred loops", repeated("mov.u32 %r6, 0;\nagain#: add.u32 %r5, %r5, %r6;\n"
                                                         "add.u32 %r6, %r6, 1; setp.lt.u32 %p1, %r6, 3;\n"
                                                         "@%p1 bra again#;\n",
                                                         100)},
                         Row{"fifty loops of compare and swap",
                             repeated("mov.u32 %r6, %r5;\nagain#: mov.u32 %r7, %r6; add.u32 %r8, %r7, 1;\n"
                                      "atom.global.cas.b32 %r6, [%rd4], %r7, %r8;\n"
                                      "setp.ne.u32 %p1, %r6, %r7; @%p1 bra again#;\n",
                                      50)}}) {
    const double share = share_of_model(begin + row.code + end, 132);
    INFO(row.what << ": " << 100 * share << " %");
    CHECK(share < 0.3);
  }
}

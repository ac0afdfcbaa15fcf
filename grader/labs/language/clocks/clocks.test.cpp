// The tests of exercise clocks: threads that wait, how long their kernel takes, and what is between two readings.
#include "labs/language/clocks/clocks.h"

#include "grader/runner/lab_test.h"
using namespace warpbook::grader;
static Answer check(int us, int blocks, int threads, int khz = 1'980'000) {
  const std::size_t count = std::size_t(blocks) * threads;
  const Answer answer = grade(call("wait", {output<std::int64_t>("cycles", count), number("us", us),
                                            number("blocks", blocks), number("threads", threads)})
                                  .set(kClockRate, khz));
  const auto cycles = answer.output<std::int64_t>("cycles");
  for (std::size_t i = 0; i < count; ++i)
    if (cycles[i] < 1000 * us || cycles[i] > 4000 * us + 1'000'000)
      WB_FAIL("cycles", "Thread " << i % threads << " of block " << i / threads << " found " << cycles[i]
                                  << " cycles to have passed in " << us
                                  << " microseconds. GPUs have 1000 to 4000 in each.");
  require_clock(answer, 2 * blocks * ((threads + 31) / 32));
  return answer;
}

WB_LAB_TEST(correctness, 4, "every thread waits by its own clock") {
  check(1, 1, 1), check(100, 2, 33), check(1, 40, 64);
  for (int i = 0; i < 3; ++i) check(test_random().size(1, 30), test_random().size(1, 40), test_random().size(1, 64));
}

WB_LAB_TEST(counters, 4, "the kernel takes as long as it was told to") {
  for (const int us : {20, 100}) {
    const Answer answer = check(us, 2, 64, us == 20 ? 1'980'000 : 1'300'000);  // Then of a slower device.
    const std::string why = "Each thread waits so long. Cycles by the clock rate, which the device tells, are a time.";
    require_at_least(answer, Quantity::time_us, us, why);
    require_at_most(answer, Quantity::time_us, us + 10, why);
  }
}

WB_LAB_TEST(correctness, 4, "what nvcc leaves between two readings is predicted") {
  const Compiled compiled = compile_program(kProgram, CompileFor::device);
  std::vector<std::int32_t> expected;
  for (int n = 1; n <= 9; ++n) expected.push_back(compiled.between("k" + std::to_string(n), "%clock64"));
  require_predicted("between", expected,
                    {"nvcc's PTX says so: what nobody needs, or is known while compiling, is gone; what is volatile, a "
                     "barrier, or needed later is not."});
}

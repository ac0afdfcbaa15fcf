// The tests of exercise launch_bounds_and_unrolling: sums, refused launches, few instructions, and copies of bodies.
#include "labs/language/launch_bounds_and_unrolling/launch_bounds_and_unrolling.h"

#include "grader/runner/lab_test.h"

using namespace warpbook::grader;

static Answer check(std::size_t count, std::int32_t threads) {
  const auto in = test_random().array<std::int32_t>(32 * count, -1000, 1000);
  auto out = test_random().array<std::int32_t>(count, -1000, 1000);
  const Answer answer = grade(call(
      "add_up", {input("in", in), in_out("out", out), number("count", count), each("threads", std::vector{threads})}));
  require_returned(answer, {threads <= 256}, {"The kernel is to be bound to blocks of at most 256 threads."});
  for (std::size_t i = 0; i < in.size() && threads <= 256; ++i) out[i % count] += in[i];
  require_equal(answer, "out", out);
  return answer;
}

WB_LAB_TEST(correctness, 4, "sums are right, and larger blocks are refused") {
  for (const std::size_t count : usual_sizes(1, 1 << 14)) check(count, test_random().size(1, 256));
  for (const int threads : {1, 256, 257, 1024, static_cast<int>(test_random().size(258, 1023))}) check(1000, threads);
}

WB_LAB_TEST(counters, 2, "the kernel itself refuses larger blocks") {
  const Answer answer = check(1000, 512);
  for (const RefusedLaunch& refused : answer.profile.refused_launches)
    if (refused.allowed == 256) return;
  WB_FAIL("nothing_refused", "No launch in blocks of 512 was refused for a bound of 256: let CUDA refuse it.");
}

WB_LAB_TEST(counters, 3, "a term takes three instructions") {
  const Answer answer = check(1 << 14, 256);
  require_at_most(answer, Quantity::warp_instructions, (3 * 32 + 40) * (1 << 14) / 32.0,
                  "A load, an addition and an address. Counter, comparison and branch are gone with the loop.");
  const double found = answer.profile.kernels.at(0).metrics.at("launch__registers_per_thread");
  if (found <= 32 || found > 128)
    WB_FAIL("registers", found << " registers for a thread. With 32, eight blocks fit; two have 128 for each thread.");
}

WB_LAB_TEST(correctness, 3, "copies of a body are predicted") {
  require_predicted("copies", compile_program(kProgram, CompileFor::device).counts(8, "ld.global"),
                    {"nvcc's PTX says so. If the end is not known, the rest has one more. unroll 0 is ignored."});
}

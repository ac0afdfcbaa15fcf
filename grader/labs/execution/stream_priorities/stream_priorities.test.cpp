// The tests of exercise stream_priorities: the range of whatever GPU, an urgent kernel that is early, what is true.
#include "grader/runner/lab_test.h"

using namespace warpbook::grader;

WB_LAB_TEST(correctness, 3, "the range is the GPU's") {
  // Devices differ in how many priorities they have: an H200 has six, this one any number.
  for (const std::int64_t priorities : {std::int64_t{5}, test_random().integer(6, 40)}) {
    Case given = call("priority", {each("highest", std::vector<std::int32_t>{1, 0})});
    const Answer answer = grade(given.set(kStreamPriorities, priorities));
    const auto greatest = answer.profile.text.empty() ? answer.output<std::int32_t>(kReturned)[0] : -priorities;
    if (greatest >= 0) WB_FAIL("greatest", "The highest is " << greatest << ": a lower number is a higher priority.");
    require_returned(answer, {static_cast<std::int32_t>(greatest), 0}, {"cudaDeviceGetStreamPriorityRange() tells."});
  }
}

WB_LAB_TEST(counters, 6, "the urgent kernel is early") {
  for (const std::size_t count : {std::size_t{1}, std::size_t{2000}, std::size_t(test_random().size(1, 2000))}) {
    std::vector<std::int32_t> bulk(1 << 20), urgent = test_random().array<std::int32_t>(count, -1000, 1000);
    const Answer answer =
        grade(call("serve", {in_out("bulk", bulk), in_out("urgent", urgent), number("count", count)}));
    for (std::int32_t& value : bulk) value += 4;
    for (std::int32_t& value : urgent) value += 1;
    require_equal(answer, "bulk", bulk);
    require_equal(answer, "urgent", urgent);
    require_done(answer);
    const auto& kernels = answer.profile.kernels;
    if (kernels.size() != 5) WB_FAIL("number_of_kernels", kernels.size() << " kernels ran, not 5.");
    const auto end = [](const KernelRecord& kernel) { return kernel.start_us + kernel.time_us; };
    const double first = kernels[0].start_us, all = end(kernels[3]) - first, early = end(kernels[4]) - first;
    if (early > 0.75 * all)
      WB_FAIL("urgent_waited",
              "The urgent kernel ended after " << early << " us, the others after " << all << ": it waited for them.");
  }
}

WB_LAB_TEST(correctness, 4, "what priorities do is known") {
  require_predicted("holds", {0, 1, 0, 0, 0, 1},
                    {"Blocks run to their end.", "That is all that a priority does.", "Only blocks have priorities.",
                     "An H200 has six: ask.", "A stream is in order.", "It has priority 0, which is the lowest."});
}

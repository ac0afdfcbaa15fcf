// The tests of exercise register_spills: counts, without local memory, and what is in registers.
#include "grader/runner/lab_test.h"

using namespace warpbook::grader;

static Answer check(std::size_t threads, std::size_t each) {
  const auto in = test_random().array<std::int32_t>(threads * each, 0, 7);
  std::vector<std::int32_t> expected(8 * threads);
  for (std::size_t i = 0; i < in.size(); ++i) ++expected[in[i] * threads + i % threads];
  const Answer answer = grade(call("count_bins", {input("in", in), output<std::int32_t>("bins", 8 * threads),
                                                  number("threads", threads), number("each", each)}));
  require_equal(answer, "bins", expected, {8, threads});
  return answer;
}

WB_LAB_TEST(correctness, 3, "every number is counted") {
  check(1, 0), check(10'000, 100);
  for (const std::size_t threads : usual_sizes(1, 10'000)) check(threads, test_random().integer(1, 30));
}

WB_LAB_TEST(counters, 5, "no count is in local memory") {
  const Answer answer = check(4096, 64);
  for (const KernelRecord& kernel : answer.profile.kernels)
    for (const LineCounters& line : kernel.lines)
      for (const AccessCounters& access : line.accesses)
        if (access.space == "local")
          WB_FAIL(
              "local_memory",
              "Line " << line.line << " has " << access.requests << " accesses of warps to local memory, where none is "
                      << "needed.\nIts index is known only when the kernel runs. Which counts change, and by how "
                      << "much, can be said with constant indices: for each k, by 1 if the number is k, else by 0.");
  require_at_most(answer, Quantity::global_load_requests, 64 * 4096 / 32.0, "Each element is loaded once.");
  require_at_most(answer, Quantity::warp_instructions, 128 * (64 * 30 + 100), "8 counts take some 24 instructions.");
}

WB_LAB_TEST(correctness, 4, "what stays in registers is known") {
  const std::vector<std::int32_t> variables = {1, 2, 3, 4, 5, 6, 7}, expected = {1, 1, 1, 0, 0, 0, 0};
  require_returned(
      grade(call("stays_in_registers", {each("variables", variables)})), expected,
      {"A single variable has a register.", "Each element has a register of its own.",
       "An unrolled loop has constant indices.", "No instruction can choose a register by a number in another one.",
       "1000 are too many.", "A register has no address.", "65,536 / 2048 are 32 registers for each thread."});
}

// The tests of exercise restrict_and_hints: products, few loads for them, and the loads that nvcc makes.
#include "labs/language/restrict_and_hints/restrict_and_hints.h"

#include "grader/runner/lab_test.h"

using namespace warpbook::grader;

static Answer check(std::size_t count) {
  const auto a = test_random().array<float>(4 * count, -1, 1), b = test_random().array<float>(4 * count, -1, 1);
  std::vector<float> expected;
  for (std::size_t i = 0; i < 16 * count; ++i)
    expected.push_back(a[i % count * 4 + i / count / 4] * b[i % count * 4 + i / count % 4]);
  const Answer answer =
      grade(call("mix", {input("a", a), input("b", b), output<float>("out", 16 * count), number("count", count)}));
  require_equal(answer, "out", expected, {16, count});
  return answer;
}

WB_LAB_TEST(correctness, 2, "every product is right") {
  for (const std::size_t count : usual_sizes(1, 1 << 14)) check(count);
}

WB_LAB_TEST(counters, 5, "two loads are enough") {
  require_at_most(
      check(1 << 14), Quantity::global_load_requests, 2 * (1 << 14) / 32.0,
      "One load of 16 bytes for each lane from each array: of data that is aligned, and that nobody writes "
      "meanwhile. nvcc uses what is promised of a and b themselves; it forgets what is promised of a + 4 * t.");
}

WB_LAB_TEST(correctness, 6, "loads are predicted") {
  const Compiled compiled = compile_program(kProgram, CompileFor::device);
  std::vector<std::int32_t> expected = compiled.counts(11, "ld.global");
  for (const std::int32_t found : compiled.counts(11, "ld.global.nc")) expected.push_back(found);
  require_predicted("predict", expected,
                    {"nvcc's PTX says so. Known alignment makes wide loads. What a store may have changed is loaded "
                     "again, whatever its type; only what no store can change may use the read-only cache."});
  require_machine_agrees("predict", {each("n", std::vector{23, 24, 25, 26, 27, 28, 29})},
                         {"a[0] and a[1] change by the stores to c."});
}

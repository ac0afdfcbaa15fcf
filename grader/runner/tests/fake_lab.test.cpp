// A lab without a GPU, with one test of each kind, and one that uses Catch2 directly.
#include <limits>

#include "grader/runner/lab_test.h"

using namespace warpbook::grader;

WB_LAB_TEST(correctness, 2, "every number, large or small, is doubled") {
  for (const std::size_t count : {33, 0, 1}) {
    const Case given = Case().set("in", test_random().array<float>(count, -1, 1));
    std::vector<float> expected = given.array<float>("in");
    for (float& value : expected) value *= 2;
    require_equal(grade(given), "out", expected);
  }
}

WB_LAB_TEST(counters, 1, "stores fill whole sectors") {
  const Case given = benchmark_case(test_random());
  const Answer answer = grade(given);
  std::vector<float> expected = given.array<float>("in");
  for (float& value : expected) value *= 2;
  require_equal(answer, "out", expected);
  require_at_most(answer, Quantity::global_store_sectors_per_request, 4, "4 sectors hold 32 floats");
}

WB_LAB_TEST(time, 4, "is as fast as the reference") { require_time(benchmark_case(test_random()), 1.0, 2.0); }

WB_LAB_TEST(correctness, 0.5, "the first element is right") {
  const Answer answer = grade(Case().set("in", std::vector<float>{4}));
  INFO("the input is 4");
  CHECK(answer.output<float>("out").at(0) == 8);
}

WB_LAB_BENCHMARK { return Case().set("in", random.array<float>(64, 0, 1)); }

WB_LAB_PLOTS {
  Plot plot{.name = "sizes", .kind = PlotKind::sweep, .title = "Sizes", .x = "elements", .y = "first"};
  plot.curves = {{.label = "first"}, {.label = "none"}};
  for (const std::size_t count : {1, 2, 3}) {
    std::vector<float> in = random.array<float>(count, 1, 1);
    if (count == 3) in[0] = std::numeric_limits<float>::infinity();
    const std::optional<Answer> answer = run(Case().set("in", in));
    if (answer) plot.curves[0].points.emplace_back(count, answer->output<float>("out").at(0));
  }
  return {plot, {.name = "empty", .curves = {{.label = "none"}}}};
}

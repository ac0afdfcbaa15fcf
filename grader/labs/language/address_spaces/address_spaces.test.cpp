// The tests of exercise address_spaces: pointers of all kinds, and predictions.
#include "grader/runner/lab_test.h"

using namespace warpbook::grader;

WB_LAB_TEST(correctness, 5, "pointers are told apart and converted") {
  for (const std::size_t count : usual_sizes(1, 100'000)) {
    const auto kinds = test_random().array<std::int32_t>(count, 1, 4);
    std::vector<std::int32_t> values(count);
    for (int i = 0; i < static_cast<int>(count); ++i) values[i] = std::vector{-1, 2 * i, -3, i}[kinds[i] - 1];
    const Answer answer = grade(call("classify", {input("kinds", kinds), output<std::int32_t>("spaces", count),
                                                  output<std::int32_t>("values", count), number("count", count)}));
    require_equal(answer, "spaces", kinds);
    require_equal(answer, "values", values);
  }
}

WB_LAB_TEST(correctness, 3, "spaces are predicted") {
  require_machine_agrees(
      "predict", {each("questions", std::vector{1, 2, 3, 4, 5, 6, 7, 8, 9})},
      {"The host's nullptr counts as global; string literals and what outlives a kernel are global."});
}

WB_LAB_TEST(correctness, 3, "what becomes of variables is predicted") {
  require_machine_agrees(
      "predict", {each("questions", std::vector{10, 11, 12, 13, 14})},
      {"It lasts as long as the program.", "Host and device share it.", "Each thread has its own, which ends with it.",
       "static variables last as long as the program, in kernels, too.", "All extern arrays begin at one address."});
}

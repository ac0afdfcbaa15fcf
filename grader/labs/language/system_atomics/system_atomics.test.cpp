// The tests of exercise system_atomics: sums of both sides, questions that the host answers, and scopes.
#include "grader/runner/lab_test.h"
using namespace warpbook::grader;
WB_LAB_TEST(correctness, 4, "host and device add to one sum") {
  for (const std::size_t threads : usual_sizes(1, 10'000)) {
    const int by_host = threads == 1000 ? 10 : test_random().integer(0, 1000);
    const Answer answer = grade(call(
        "count_together", {output<std::int32_t>("total", 1), number("threads", threads), number("by_host", by_host)}));
    require_equal(answer, "total", std::vector{static_cast<std::int32_t>(10 * threads + by_host)});
    require_at_least(answer, Quantity::global_atomic_requests, threads / 32.0, "Each thread adds 10 itself.");
    if (threads == 1000) require_host_meanwhile(answer);
  }
}
WB_LAB_TEST(correctness, 5, "the host answers a kernel that runs") {
  for (int i = 0; i < 4; ++i) {
    const int question = test_random().integer(0, 40'000);
    const Answer answer =
        grade(call("ask", {input("question", std::vector{question}), output<std::int32_t>("answer", 1)}));
    require_equal(answer, "answer", std::vector{question * question % 1009});
    require_order_with_host(answer);
  }
}
WB_LAB_TEST(correctness, 4, "scopes are predicted") {
  // Constants: where a scope promises nothing, an atomic may still be one step whenever it is tried.
  std::vector<std::int32_t> scopes, others, expected;
  for (int i = 0; i < 15; ++i)
    scopes.push_back(1 + i / 5), others.push_back(1 + i % 5), expected.push_back("100001110011111"[i] - '0');
  require_returned(grade(call("predict", {each("scopes", scopes), each("others", others)})), expected,
                   {"A scope is the threads for which an atomic is one step."});
}

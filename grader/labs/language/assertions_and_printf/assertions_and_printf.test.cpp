// The tests of exercise assertions_and_printf: lines of kernels, an assertion that fails, and predictions.
#include "grader/runner/lab_context.h"
#include "grader/runner/lab_test.h"

using namespace warpbook::grader;

static Case inspection(const std::vector<std::int32_t>& in) {
  return call("inspect", {input("in", in), output<std::int32_t>("returned", in.size()), number("count", in.size())});
}

WB_LAB_TEST(correctness, 4, "threads print their elements") {
  for (const std::size_t count : usual_sizes(1, 1024)) {
    std::vector<std::int32_t> in(count, 19), returned(count);
    for (int i = 0; i < 4; ++i) in[test_random().integer(0, count - 1)] = 10 * test_random().integer(1, 100);
    const Answer answer = grade(inspection(in));
    const std::string lines = "\n" + answer.printed_text();
    std::string expected;
    for (std::size_t t = 0; t < count; ++t) {
      if (in[t] % 10 != 0) continue;
      returned[t] = 2;
      const std::string line = std::to_string(t) + ": " + std::to_string(in[t]) + "\n";
      expected += line;
      if (lines.find("\n" + line) == std::string::npos) WB_FAIL("missing", "No thread printed in[" << t << "].");
    }
    if (lines.size() != expected.size() + 1)
      WB_FAIL("other_lines", "There are other lines than those for multiples of 10, like 3: 70.");
    require_equal(answer, "returned", returned);
  }
}

WB_LAB_TEST(correctness, 3, "an assertion that fails ends the kernel") {
  for (const int wrong : {0, -7}) {
    std::vector<std::int32_t> in(test_random().integer(33, 200), wrong);
    LabContext& lab = lab_of_tests();
    const Outcome outcome = run_answer(lab, inspection(in), lab.environment(), test_random().bits());
    if (outcome.status == Outcome::Status::not_started) answer_or_end(lab, outcome, false);
    if (outcome.status == Outcome::Status::completed)
      WB_FAIL("lets_" + std::to_string(wrong) + "_through", "The assertion lets " << wrong << " through.");
    const Finding& found = outcome.finding;
    if (found.kind != FindingKind::assertion && found.topic != "cudaErrorAssert") fail(lab, found);
    if (outcome.answer.printed_text().find("in[t] > 0") == std::string::npos)
      WB_FAIL("other_assertion", "Write the assertion exactly so: in[t] > 0.");
  }
}

WB_LAB_TEST(correctness, 5, "what the machine answers is predicted") {
  std::vector<std::int32_t> counts, questions, ns, expected;
  for (int n = -1; n <= 40; ++n) counts.push_back(n);
  require_machine_agrees("answer", {each("questions", std::vector(42, 1)), each("ns", counts)},
                         {"The number of arguments that are kept, not of characters; -1 without a format."});
  std::vector<std::string> why;
  const auto ask = [&](int question, int n, int answer, const char* reason) {
    questions.push_back(question), ns.push_back(n), expected.push_back(answer), why.push_back(reason);
  };
  const auto of = [](int question, int n) { return std::vector{number("question", question), number("n", n)}; };
  for (int n = 1; n < 10; ++n) {
    ask(2, n, machine_prints("Assertion", "answer", of(2, n)), "Each thread in which it fails prints a line.");
    if (n % 4 == 2) ask(3, n, machine_prints("Assertion", "answer", of(3, n)), "Nothing is left of an assertion.");
    if (n % 4 == 2) ask(4, n, machine_fails("(710)", "answer", of(4, n)) ? 710 : 0, "cudaErrorAssert stays.");
    if (n < 5) ask(5, n, machine_prints("line", "answer", of(5, n)), "Lines are lost unless something waits for them.");
  }
  require_returned(grade(call("answer", {each("questions", questions), each("ns", ns)})), expected, why);
}

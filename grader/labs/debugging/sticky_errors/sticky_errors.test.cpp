// The tests of exercise sticky_errors: what calls return after mistakes, observed and predicted; and what helps.
#include "grader/judge/expected_fault.h"
#include "grader/runner/lab_test.h"

using namespace warpbook::grader;

static std::int32_t error_of(int mistake, int call, int blocking) {
  if (mistake < 2) return call == 0 ? 1 : 0;
  return mistake == 2 && (call > 0 || blocking != 0) ? 700 : 0;
}

static Answer run(Case given, int blocking) {
  return grade(given.set(kExpectedFault, "out_of_bounds").set(kLaunchBlocking, blocking));
}

WB_LAB_TEST(correctness, 4, "what calls return after a mistake is observed") {
  for (int i = 0; i < 24; ++i) {
    const int mistake = i / 8, blocking = i / 4 % 2;
    const Case given = call("observe", {number("mistake", mistake), each("calls", std::vector{i % 4})});
    require_returned(run(given, blocking), {error_of(mistake, i % 4, blocking)},
                     {"The calls come in the order of the contract."});
  }
}

WB_LAB_TEST(correctness, 4, "what calls return after a mistake is predicted") {
  std::vector<std::int32_t> mistakes, calls, blocking, expected;
  for (int i = 0; i < 24; ++i) {
    mistakes.push_back(i / 8), calls.push_back(i / 2 % 4), blocking.push_back(i % 2);
    expected.push_back(error_of(mistakes[i], calls[i], blocking[i]));
  }
  const Case given = call("predict", {each("mistakes", mistakes), each("calls", calls), each("blocking", blocking)});
  require_returned(grade(given), expected, {"Was it refused, or did it fail while it ran? Who waits for it?"});
}

WB_LAB_TEST(correctness, 4, "what can be forgotten is forgotten, and what cannot is told") {
  for (int mistake = 0; mistake < 4; ++mistake) {
    const Case given = call("is_lost", {number("mistake", mistake)});
    for (const int blocking : {0, 1})
      require_returned(run(given, blocking), {mistake == 2 ? 1 : 0}, {"Ask a call that waits, and no other."});
    if (mistake == 2) continue;
    const Case after = then(given, "observe", {number("nothing", 3), each("calls", std::vector{0, 3})});
    require_returned(run(after, 0), {0, 0}, {"After is_lost() no error is left."});
  }
}

// Calls of a case: written and read back, and as text.
#include "grader/judge/call.h"

#include "common/testing/catch.h"

using namespace warpbook::grader;

namespace {

const std::vector<std::int32_t> kPairs = {4, -5};
const std::vector<float> kSteps = {0.5F, 2};

}  // namespace

TEST_CASE("calls are read back from the case that they were written into") {
  const std::vector<Argument> arguments = {input("in", kSteps), output<double>("out", 7), number("count", 7)};
  const Case given =
      then(call("first", arguments), "second", {filled<std::int32_t>("sum", 1, 255), input("in", kSteps)});
  const std::vector<Call> calls = calls_of(given);
  REQUIRE(calls.size() == 2);
  CHECK(calls[0].function == "first");
  REQUIRE(calls[0].arguments.size() == 3);
  CHECK(calls[0].arguments[1] == arguments[1]);
  CHECK(calls[1].arguments[0].fill == 255);
  CHECK(given.array<float>("in") == kSteps);
  CHECK_THROWS_AS(then(given, "third", {input("in", std::vector<float>{1})}), ValueError);
}

TEST_CASE("the text of a call has the numbers of one element, and names of arrays") {
  const Case given = call("f", {each("pairs", kPairs), number("gain", 1.5), each("steps", kSteps), number("count", 7),
                                input("in", kSteps), each("small", std::vector<std::int8_t>{65, -1})});
  CHECK(text_of_call(given, 0) == "f(4, 1.5, 0.5, 7, in, 65)");
  CHECK(text_of_call(given, 1) == "f(-5, 1.5, 2, 7, in, -1)");
  CHECK(text_of_call(given, 2) == "f(pairs, 1.5, steps, 7, in, small)");
  CHECK(text_of_call(then(given, "g", {}), 0) == "g()");
  CHECK_THROWS_AS(text_of_call(Case(), 0), ValueError);
}

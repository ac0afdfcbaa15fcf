#include "grader/judge/checked_cases.h"

#include "common/testing/catch.h"
#include "grader/judge/call.h"

using namespace warpbook::grader;

namespace {

Case case_of(const std::string& function, std::size_t elements) {
  return call(function, {input("in", std::vector<std::int32_t>(elements))});
}

constexpr std::size_t kLittle = 1000, kMuch = (1 << 17) + 1;

}  // namespace

TEST_CASE("cases that cost little run under the checkers, however many there are") {
  CheckedCases cases;
  for (int i = 0; i < 100; ++i) REQUIRE(cases.includes(case_of("f", kLittle)));
}

TEST_CASE("a case that costs much runs under the checkers unless one of the same functions has") {
  CheckedCases cases;
  CHECK(cases.includes(case_of("f", kMuch)));
  CHECK_FALSE(cases.includes(case_of("f", kMuch)));
  CHECK(cases.includes(case_of("g", kLittle)));
  CHECK_FALSE(cases.includes(case_of("g", kMuch)));
  CHECK(cases.includes(then(case_of("g", kMuch), "h", {number("n", 1)})));
}

TEST_CASE("what a case costs is its elements and its work") {
  CheckedCases cases;
  REQUIRE(cases.includes(case_of("f", kLittle)));
  CHECK(cost_of(case_of("f", kLittle).set(kWork, 1001)) == cost_of(case_of("f", kLittle).set(kWork, 1)) + 1000);
  CHECK(cases.includes(case_of("f", kLittle).set(kWork, (1 << 17) - 2000)));
  CHECK_FALSE(cases.includes(case_of("f", kLittle).set(kWork, 1 << 17)));
}

// What two runs in different orders return.
#include "grader/runner/same_results.h"

#include <cmath>
#include <vector>

#include "common/testing/catch.h"
#include "grader/judge/call.h"
#include "grader/runner/protocol.h"

using namespace warpbook::grader;

namespace {

/// As a run on the virtual GPU ends: what its process observed is in the reply, too.
Answer answer_with(std::int32_t result, double measured_us, double left_us) {
  Answer answer;
  answer.reply.set("out", std::vector<std::int32_t>{result}).set(kMeasuredUs, measured_us).set(kLeft, left_us);
  answer.device.set(kLeft, left_us);
  return answer;
}

}  // namespace

TEST_CASE("times are no results, in whatever order") {
  CHECK(same_results(answer_with(1, 5, 2), answer_with(1, 6, 3)));
  CHECK(same_results(answer_with(1, 5, 2), answer_with(1, 5, 0)));
  CHECK_FALSE(same_results(answer_with(1, 5, 2), answer_with(2, 5, 2)));
}

TEST_CASE("work that is left in another order alone is another result") {
  CHECK(same_results(answer_with(1, 5, 0), answer_with(1, 5, 0)));
  CHECK_FALSE(same_results(answer_with(1, 5, 0), answer_with(1, 5, 2)));
}

TEST_CASE("sums of floating-point numbers in another order are nearly the same result") {
  const auto with = [](float first, float second) {
    Answer answer;
    answer.reply.set("sums", std::vector<float>{first, second}).set("count", std::vector<std::int32_t>{2});
    return answer;
  };
  CHECK(nearly_same_results(with(1000, 1), with(1000.5F, 1)));
  CHECK_FALSE(nearly_same_results(with(1000, 1), with(1002, 1)));
  CHECK_FALSE(nearly_same_results(with(1000, 1), with(1000, INFINITY)));
  CHECK_FALSE(nearly_same_results(answer_with(1, 5, 2), answer_with(2, 5, 2)));
  CHECK(nearly_same_results(answer_with(1, 5, 2), answer_with(1, 6, 0)));
}

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

TEST_CASE("times that an answer's process measured are no results") {
  const auto with = [](double milliseconds, std::int32_t out) {
    Answer answer;
    answer.reply.set("ms", milliseconds).set("out", std::vector<std::int32_t>{out});
    return answer;
  };
  CHECK(same_results(with(1.5, 3), with(2, 3)));
  CHECK_FALSE(same_results(with(1.5, 3), with(1.5, 4)));
  CHECK(nearly_same_results(with(1.5, 3), with(2, 3)));
  CHECK_FALSE(nearly_same_results(with(1.5, 3), with(1.5, 4)));
}

TEST_CASE("a reply that makes no sense is another result, and no error") {
  Answer sums, broken, number;
  sums.reply.set("sums", std::vector<float>{1, 2});
  Value value = sums.reply.value("sums");
  value.bytes.pop_back();
  broken.reply.put("sums", value);
  number.reply.set("sums", 1.5);
  for (const Answer* other : {&broken, &number}) {
    CHECK_FALSE(nearly_same_results(sums, *other));
    CHECK_FALSE(nearly_same_results(*other, sums));
    CHECK_FALSE(same_results(sums, *other));
  }
}

// The three verdicts on made-up samples: quiet, noisy, drifting, and at the limit.
#include "grader/judge/paired_time.h"

#include <algorithm>
#include <cmath>

#include "common/cuda/random.h"
#include "common/testing/catch.h"

using namespace warpbook::grader;
using warpbook::Random;

namespace {

/// Rounds in which everything takes `reference_us` or `ratio` times that, each time off by up to `noise` either way.
std::vector<Round> made_rounds(std::size_t count, double reference_us, double ratio, double noise,
                               std::uint64_t seed = 1) {
  Random random(seed);
  std::vector<Round> rounds;
  for (std::size_t i = 0; i < count; ++i) {
    const auto off = [&] { return 1 + random.real(-noise, noise); };
    rounds.push_back({reference_us * off(), reference_us * ratio * off(), reference_us * off()});
  }
  return rounds;
}

}  // namespace

TEST_CASE("the interval of few samples spans all of them, of many it leaves out both ends alike") {
  const Interval one = interval_of({5});
  CHECK(one.low == 5);
  CHECK(one.median == 5);
  CHECK(one.high == 5);
  const Interval five = interval_of({5, 1, 4, 2, 3});
  CHECK(five.low == 1);
  CHECK(five.median == 3);
  CHECK(five.high == 5);
  const Interval nine = interval_of({9, 8, 7, 6, 5, 4, 3, 2, 1});
  CHECK(nine.low == 2);
  CHECK(nine.median == 5);
  CHECK(nine.high == 8);
  CHECK(interval_of({1, 2, 3, 10}).median == 2.5);
  CHECK_THROWS(interval_of({}));
}

TEST_CASE("the interval contains the true median in about 95 of 100 runs") {
  Random random(7);
  int held = 0;
  constexpr int kRuns = 4000;
  for (int run = 0; run < kRuns; ++run) {
    // Skewed, as times are: never under 1, seldom far above.
    std::vector<double> samples;
    for (int i = 0; i < 15; ++i) samples.push_back(1 - std::log(1 - random.real(0, 1)));
    const Interval found = interval_of(samples);
    held += found.low <= 1 + std::log(2.0) && 1 + std::log(2.0) <= found.high ? 1 : 0;
  }
  CHECK(held > 0.93 * kRuns);
  CHECK(held < 0.99 * kRuns);
}

TEST_CASE("an answer like the reference passes, one that is clearly slower fails") {
  CHECK(judge(made_rounds(9, 100, 1.0, 0.02), 1.15).verdict == Verdict::pass);
  const Judgement slow = judge(made_rounds(9, 100, 1.5, 0.02), 1.15);
  CHECK(slow.verdict == Verdict::fail);
  CHECK(slow.ratio.median == Approx(1.5).margin(0.03));
  CHECK(slow.answer_us == Approx(150).margin(4));
}

TEST_CASE("an answer at the limit is inconclusive, and more rounds narrow that down") {
  CHECK(judge(made_rounds(9, 100, 1.15, 0.03), 1.15).verdict == Verdict::inconclusive);
  const Interval few = judge(made_rounds(9, 100, 1.13, 0.04), 1.15).ratio;
  const Interval many = judge(made_rounds(99, 100, 1.13, 0.04), 1.15).ratio;
  CHECK(many.high - many.low < few.high - few.low);
  CHECK(judge(made_rounds(99, 100, 1.13, 0.04), 1.15).verdict == Verdict::pass);
}

TEST_CASE("a control that is off makes any ratio inconclusive") {
  // The second process of the reference is always 20 % slower: something favours one process.
  std::vector<Round> lopsided = made_rounds(9, 100, 1.0, 0.01);
  for (Round& round : lopsided) round.control_us *= 1.2;
  CHECK(judge(lopsided, 1.15).control_strayed);
  CHECK(judge(lopsided, 1.15).verdict == Verdict::inconclusive);
  std::vector<Round> slow = made_rounds(9, 100, 3.0, 0.01);
  for (Round& round : slow) round.control_us *= 1.2;
  CHECK(judge(slow, 1.15).verdict == Verdict::inconclusive);
  // And noise that is large both ways.
  const Judgement noisy = judge(made_rounds(9, 100, 1.0, 0.5, 3), 1.15);
  CHECK(noisy.control_strayed);
  CHECK(noisy.verdict == Verdict::inconclusive);
}

TEST_CASE("a GPU that gets slower during the run does not matter: rounds are pairs") {
  std::vector<Round> rounds = made_rounds(15, 100, 1.0, 0.01);
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    const double slower = 1 + 0.1 * static_cast<double>(i);
    rounds[i].reference_us *= slower;
    rounds[i].answer_us *= slower;
    rounds[i].control_us *= slower;
  }
  const Judgement judgement = judge(rounds, 1.15);
  CHECK(judgement.verdict == Verdict::pass);
  CHECK(judgement.ratio.median == Approx(1).margin(0.02));
}

TEST_CASE("a few outliers change no verdict") {
  std::vector<Round> rounds = made_rounds(11, 100, 1.0, 0.01);
  rounds[2].answer_us = 5000;
  rounds[7].reference_us = 2000;
  CHECK(judge(rounds, 1.15).verdict == Verdict::pass);
}

TEST_CASE("a difference of less than a microsecond never counts against an answer") {
  CHECK(judge(made_rounds(9, 4, 1.2, 0.01), 1.1).verdict == Verdict::pass);
  CHECK(judge(made_rounds(9, 400, 1.2, 0.01), 1.1).verdict == Verdict::fail);
}

TEST_CASE("a time that is not positive is an error, not a fast answer") {
  CHECK_THROWS(judge({{10, 0, 10}}, 1.1));
  CHECK_THROWS(judge({{10, -5, 10}}, 1.1));
  CHECK_THROWS(judge({{10, std::nan(""), 10}}, 1.1));
  CHECK_THROWS(judge({}, 1.1));
}

TEST_CASE("work that begins before its time is taken is noticed, launching is not") {
  CHECK_FALSE(begins_early({10, 11, 10}, {15, 16, 15}));
  CHECK_FALSE(begins_early({1000, 1010, 990}, {1050, 1080, 1060}));
  CHECK(begins_early({10, 11, 10}, {120, 130, 125}));
  CHECK(begins_early({500, 510, 505}, {900, 910, 890}));
  CHECK(begins_early({18, 18, 19}, {41, 42, 40}));
  CHECK_FALSE(begins_early({18, 18, 19}, {41, 42, 40}, 24));
}

// An H200 on 2026-11-27: a copy to a symbol and a launch, behind other work and on the idle device; and twenty
// launches, for whose calls the host needs longer than the device.
TEST_CASE("what launching may add grows with the commands of a call, up to a few") {
  CHECK(commands_us(1, {}, {}) == kLaunchUs);
  CHECK(commands_us(1, {8}, {12}) == kLaunchUs);
  const std::vector<double> copy_queued = {8.4}, copy_waiting = {24.1};
  CHECK_FALSE(begins_early({19.0}, {46.9}, commands_us(2, copy_queued, copy_waiting)));
  CHECK(begins_early({19.0}, {46.9}, commands_us(1, copy_queued, copy_waiting)));
  CHECK(begins_early({283.9}, {474.6}, commands_us(20, {3.8}, {16.3})));
}

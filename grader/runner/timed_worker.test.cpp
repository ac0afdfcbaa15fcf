// Workers that stay alive: case after case, in turns, and every way to end too early.
#include "grader/runner/timed_worker.h"

#include <set>

#include "common/testing/catch.h"
#include "grader/judge/poison.h"
#include "grader/runner/protocol.h"

using namespace warpbook::grader;

namespace {

Environment environment(double wall_s = 20) {
  Environment result;
  result.counted = false;
  result.limits.wall_s = wall_s;
  result.limits.memory_bytes = 0;
  return result;
}

/// A case that the fake worker sends back unchanged, with the time that it should report.
Case echo(double measured_us = 1) {
  return Case().set("do", "echo").set(kMeasuredUs, measured_us).set("data", std::vector<float>{1, 2, 3});
}

bool completed(const Outcome& outcome) {
  INFO(outcome.message());
  CHECK(outcome.message().empty());
  return outcome.status == Outcome::Status::completed;
}

}  // namespace

TEST_CASE("one worker answers case after case, each with other poison and guard zones") {
  TimedWorker worker(WARPBOOK_FAKE_WORKER, environment(), 1);
  std::set<std::int64_t> seeds, guards;
  for (int i = 0; i < 8; ++i) {
    const Outcome outcome = worker.run(echo(i + 1), Timing::queued);
    REQUIRE(completed(outcome));
    CHECK(outcome.answer.measured_us == i + 1);
    CHECK(outcome.answer.output<float>("data").size() == 3);
    seeds.insert(outcome.answer.given.integer(kPoisonSeed));
    guards.insert(outcome.answer.given.integer(kGuardBytes));
    CHECK(outcome.answer.given.integer(kGuardBytes) % 256 == 0);
  }
  CHECK(seeds.size() == 8);
  CHECK(guards.size() > 2);
}

TEST_CASE("a case can be run again without sending it, and without its arrays coming back") {
  TimedWorker worker(WARPBOOK_FAKE_WORKER, environment(), 1);
  REQUIRE(completed(worker.run(echo(7), Timing::queued)));
  const Outcome again = worker.run_again(Timing::waiting);
  REQUIRE(completed(again));
  CHECK(again.answer.measured_us == 7);
  CHECK(again.answer.reply.text(kTiming) == "waiting");
  CHECK_FALSE(again.answer.reply.has("data"));
  const Outcome quiet = worker.run_quietly(echo(9), Timing::queued);
  REQUIRE(completed(quiet));
  CHECK(quiet.answer.measured_us == 9);
  CHECK_FALSE(quiet.answer.reply.has("data"));
  CHECK(worker.run(echo(), Timing::queued).answer.reply.has("data"));
}

TEST_CASE("several workers live at the same time, and the end of one leaves the others alone") {
  TimedWorker first(WARPBOOK_FAKE_WORKER, environment(), 1);
  {
    TimedWorker second(WARPBOOK_FAKE_WORKER, environment(), 2);
    REQUIRE(completed(first.run(echo(), Timing::queued)));
    REQUIRE(completed(second.run(echo(), Timing::queued)));
  }
  REQUIRE(completed(first.run(echo(), Timing::queued)));
  ProcessRequest other;
  other.program = "/bin/true";
  other.folder = "/";
  CHECK(run_process(other).end == End::exited);
  CHECK(completed(first.run(echo(), Timing::queued)));
}

TEST_CASE("a large case is complete in both directions") {
  TimedWorker worker(WARPBOOK_FAKE_WORKER, environment(), 1);
  std::vector<float> large(3'000'000, 1.5f);
  large.back() = 2;
  const Outcome outcome = worker.run(echo().set("large", large), Timing::queued);
  REQUIRE(completed(outcome));
  CHECK(outcome.answer.output<float>("large") == large);
}

TEST_CASE("a worker that crashes, ends, hangs or forges between cases is explained") {
  const std::pair<const char*, const char*> ends[] = {
      {"crash", "crashed"},          {"exit 0", "ended early"},          {"exit 3", "exit status 3"},
      {"hang", "within 1 s"},        {"print without end", "printed"},   {"forge a reply", "ended early"},
      {"throw", "it does not work"}, {"send a large reply", "sent back"}};
  for (const auto& [what, message] : ends) {
    INFO(what);
    Environment limited = environment(1);
    limited.limits.reply_bytes = 8u << 20;
    TimedWorker worker(WARPBOOK_FAKE_WORKER, limited, 1);
    REQUIRE(completed(worker.run(echo(), Timing::queued)));
    const Outcome outcome = worker.run(Case().set("do", what), Timing::queued);
    CHECK(outcome.status == Outcome::Status::failed);
    CHECK_THAT(outcome.message(), Catch::Contains(message));
  }
}

TEST_CASE("a time that is missing, or longer than the process took, is refused") {
  TimedWorker worker(WARPBOOK_FAKE_WORKER, environment(), 1);
  CHECK_THAT(worker.run(Case().set("do", "echo"), Timing::queued).message(), Catch::Contains("measured no time"));
  CHECK_THAT(worker.run(echo(1e9), Timing::queued).message(), Catch::Contains("longer than the process took"));
  CHECK_THAT(worker.run(echo(-1), Timing::queued).message(), Catch::Contains("measured no time"));
}

TEST_CASE("a program that cannot be started is named") {
  TimedWorker worker("/nowhere/worker", environment(), 1);
  const Outcome outcome = worker.run(echo(), Timing::queued);
  CHECK(outcome.status == Outcome::Status::failed);
  CHECK_THAT(outcome.message(), Catch::Contains("/nowhere/worker cannot be started"));
}

// Endless answers and slow ones: the first get little after two cases, the second many times what the reference
// needs.
#include "grader/runner/patience.h"

#include <filesystem>

#include "common/testing/catch.h"
#include "grader/runner/temporary_folder.h"

using namespace warpbook::grader;

namespace {

using Status = Outcome::Status;

Environment environment_with(double busy_s) {
  Environment environment;
  environment.device_process = WARPBOOK_FAKE_DEVICE;
  environment.limits.wall_s = 60;
  environment.limits.busy_s = busy_s;
  if (WARPBOOK_SANITIZED) environment.limits.memory_bytes = 0;
  return environment;
}

/// The fake worker under two names: the case says for each name how much it uses.
class Pair {
 public:
  Pair() {
    for (const std::string& name : {answer_, reference_}) std::filesystem::create_symlink(WARPBOOK_FAKE_WORKER, name);
  }

  Outcome run(const Case& given, double busy_s = 0.3, double reference_wall_s = 60) {
    Environment of_reference = environment_with(0);
    of_reference.limits.wall_s = reference_wall_s;
    return run_with_patience(answer_, given, environment_with(busy_s), 42,
                             ask_program(reference_, given, of_reference, 42), strikes);
  }

  Strikes strikes;

 private:
  TemporaryFolder folder_;
  std::string answer_ = folder_.path() + "/answer", reference_ = folder_.path() + "/reference";
};

Case work(double reference) { return Case().set("do", "work").set("reference", reference); }

bool says(const Outcome& outcome, const std::string& text) {
  INFO(outcome.message());
  return outcome.message().find(text) != std::string::npos;
}

}  // namespace

TEST_CASE("an endless answer reads what it got, and is counted") {
  Pair pair;
  const Outcome outcome = pair.run(work(0));
  CHECK(outcome.status == Status::failed);
  CHECK(says(outcome, "did not finish within 0.3 s of CPU time, nor within 100 times what the reference needs"));
  CHECK(pair.strikes.time == 1);
  CHECK(pair.strikes.memory == 0);
  CHECK_FALSE(says(outcome, "earlier cases"));
}

TEST_CASE("an answer that is slow where the reference is slow, too, is not taken for an endless one") {
  Pair pair;
  const Outcome outcome = pair.run(work(0.05).set("answer", 1.0));
  INFO(outcome.message());
  CHECK(outcome.status == Status::completed);
  CHECK(pair.strikes.time == 0);
}

TEST_CASE("after two endless cases, right ones keep their points, and the student reads why others got less") {
  Pair pair;
  pair.strikes.time = kStrikes;
  // 1. Much less than the full limit.
  const Outcome endless = pair.run(work(0), 1000);
  CHECK(endless.status == Status::failed);
  CHECK(says(endless, "did not finish within 2 s of CPU time, nor within 20 times what the reference needs"));
  CHECK(says(endless, "It got no more, because 2 earlier cases did not finish"));
  CHECK(pair.strikes.time == kStrikes + 1);
  // 2. Quick and slow answers to other cases.
  CHECK(pair.run(work(0).set("answer", 0.0), 1000).status == Status::completed);
  CHECK(pair.run(work(0.2).set("answer", 2.5), 1000).status == Status::completed);
  CHECK(pair.strikes.time == kStrikes + 1);
}

TEST_CASE("if the reference fails on a case, the answer has the full limits") {
  Pair pair;
  pair.strikes.time = kStrikes;
  const Outcome outcome = pair.run(Case().set("do", "work").set("answer", 2.3).set("reference", "no number"), 1000);
  CHECK(outcome.status == Status::completed);
}

TEST_CASE("a launch of the virtual GPU that was stopped counts as an endless case") {
  Pair pair;
  const std::string fault = R"({"code": 702, "name": "cudaErrorLaunchTimeout", "kind": "step_limit", "message": ""})";
  const Outcome outcome = pair.run(Case().set("do", "fault").set("error", fault));
  CHECK(outcome.status == Status::failed);
  CHECK(says(outcome, "The kernel did not come to an end"));
  CHECK(pair.strikes.time == 1);
}

TEST_CASE("an answer that sleeps is counted, and gets less sleep after two cases") {
  Pair pair;
  pair.strikes.time = kStrikes;
  const Outcome outcome = pair.run(Case().set("do", "sleep"), 0.3, 4);  // The reference sleeps, too.
  CHECK(says(outcome, "did not finish within 3 s"));
  CHECK(says(outcome, "because 2 earlier cases did not finish"));
  CHECK(pair.strikes.time == kStrikes + 1);
}

TEST_CASE("after two cases that took all memory, others get only the little that is enough for the reference") {
  if (WARPBOOK_SANITIZED) return;  // Memory has no limit there.
  Pair pair;
  const auto take = [&](std::int64_t answer, std::int64_t reference) {
    return pair.run(Case().set("do", "take").set("answer", answer).set("reference", reference), 60);
  };
  CHECK(take(100, 1).status == Status::completed);
  CHECK(pair.strikes.memory == 0);
  CHECK(says(take(1 << 20, 1), "bad_alloc"));
  CHECK(pair.strikes.memory == 1);
  pair.strikes.memory = kStrikes;
  CHECK(take(100, 1).status == Status::completed);
  const Outcome all = take(1 << 20, 1);
  CHECK(says(all, "an answer may use 1024 MiB"));
  CHECK(says(all, "because 2 earlier cases took all memory"));
  CHECK(take(1200, 1200).status == Status::completed);  // The reference needs more than that.
}

TEST_CASE("if CPU time has no limit, as on a real GPU, nothing is run twice") {
  Pair pair;
  pair.strikes = {9, 9};
  const Outcome outcome = pair.run(work(0).set("answer", 0.0), 0);
  CHECK(outcome.status == Status::completed);
  CHECK(pair.strikes.time == 9);
}

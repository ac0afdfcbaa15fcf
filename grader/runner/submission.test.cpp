// Answers that crash, hang, flood, forge and exit: each must become a failed outcome with an explanation.
#include "grader/runner/submission.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "common/testing/catch.h"
#include "grader/judge/compare.h"
#include "grader/runner/child.h"
#include "grader/runner/program_end.h"
#include "grader/runner/temporary_folder.h"

using namespace warpbook::grader;

namespace {

using Status = Outcome::Status;

/// Not counted: the fake worker has no virtual GPU, so there are guard zones and no profile.
Environment quick() {
  Environment environment;
  environment.counted = false;
  environment.limits.wall_s = 1;
  environment.limits.cpu_s = 20;
  environment.limits.memory_bytes = WARPBOOK_SANITIZED ? 0 : 256ull << 20;
  environment.limits.file_bytes = 4 << 20;
  environment.limits.processes = 16;
  environment.limits.reply_bytes = 8 << 20;
  environment.limits.output_bytes = 1 << 20;
  return environment;
}

Outcome run(const std::string& what, const Environment& environment = quick()) {
  return run_submission(WARPBOOK_FAKE_WORKER, Case().set("do", what), environment, 42);
}

Outcome run_twice(const std::string& mistake) {
  return run_submission(WARPBOOK_FAKE_WORKER,
                        Case().set("do", "twice").set("mistake", mistake).set("in", std::vector<float>{1, 2, 3, 4, 5}),
                        quick(), 42);
}

bool says(const Outcome& outcome, const std::string& text) {
  INFO(outcome.message());
  return outcome.message().find(text) != std::string::npos;
}

}  // namespace

TEST_CASE("an honest answer's values come back") {
  const std::vector<float> in(1 << 19, 1.5f);  // Larger than what a socket holds.
  const Outcome outcome = run_submission(WARPBOOK_FAKE_WORKER, Case().set("do", "twice").set("in", in), quick(), 42);
  INFO(outcome.message());
  REQUIRE(outcome.status == Status::completed);
  CHECK(compare_exact(outcome.answer, "out", std::vector<float>(1 << 19, 3.0f), {}).passed);
  CHECK(outcome.answer.wall_us > 0);
}

TEST_CASE("elements that an answer does not write are detected") {
  const Outcome outcome = run_twice("leaves one out");
  REQUIRE(outcome.status == Status::completed);
  const Comparison comparison = compare_exact(outcome.answer, "out", std::vector<float>{2, 4, 6, 8, 10}, {});
  CHECK_FALSE(comparison.passed);
  CHECK(comparison.wrong == 1);
  CHECK(text_of(comparison.finding).find("out[3]: never written, expected 8") != std::string::npos);
}

TEST_CASE("a value that does not come back fails the comparison") {
  const Outcome outcome = run_twice("sends nothing");
  REQUIRE(outcome.status == Status::completed);
  CHECK_FALSE(compare_exact(outcome.answer, "out", std::vector<float>{2, 4, 6, 8, 10}, {}).passed);
}

TEST_CASE("writing next to an array or into an input is found") {
  CHECK(says(run_twice("writes before"), "4 bytes before its beginning"));
  CHECK(says(run_twice("writes after"), "4 bytes after its end"));
  CHECK(says(run_twice("changes input"), "changed its input 'in'"));
  CHECK(run_twice("changes input").status == Status::failed);
}

TEST_CASE("a skeleton is not started, not wrong") {
  const Outcome outcome = run("not started");
  CHECK(outcome.status == Status::not_started);
  CHECK(outcome.where.file == "lab.cu");
  CHECK(outcome.where.line == 12);
}

TEST_CASE("every way to end without an answer is a failure with its reason") {
  CHECK(says(run("throw"), "it does not work"));
  CHECK(says(run("crash"), "host code used an invalid pointer"));
  CHECK(says(run("abort"), "aborted"));
  CHECK(says(run("exit 0"), "ended early (exit status 0)"));
  CHECK(says(run("exit 3"), "ended early (exit status 3)"));
  CHECK(says(run("libgomp"), "libgomp, GCC's OpenACC library, ended the program"));
  CHECK_FALSE(says(run("libgomp"), "no exit()"));
  for (const char* what : {"throw", "crash", "abort", "exit 0", "exit 3", "libgomp"}) {
    CAPTURE(what);
    CHECK(run(what).status == Status::failed);
  }
}

TEST_CASE("an answer that never ends is ended") {
  CHECK(says(run("hang"), "did not finish within 1 s"));
  CHECK(says(run("sleep"), "did not finish within 1 s"));
  CHECK(says(run("ignore signals and hang"), "did not finish within 1 s"));
  CHECK(says(run("close the channel"), "did not finish within 1 s"));
}

TEST_CASE("CPU time is limited separately from wall-clock time") {
  Environment environment = quick();
  environment.limits.wall_s = 20;
  environment.limits.cpu_s = 0;  // RLIMIT_CPU counts whole seconds.
  CHECK(says(run("hang", environment), "CPU time"));
}

TEST_CASE("if CPU time of all processes is limited, the wall-clock limit counts only sleep") {
  Environment environment = quick();
  environment.limits.busy_s = 0.2;
  CHECK(says(run("hang", environment), "did not finish within 0.2 s of CPU time"));
  CHECK(run("hang", environment).broken == Outcome::Broken::work);
  CHECK(says(run("sleep", environment), "did not finish within 1 s:"));
  CHECK(run("sleep", environment).broken == Outcome::Broken::clock);
}

TEST_CASE("with a limit on CPU time, waits for a core count little, and the message tells the limit reached") {
  Limits limits;
  limits.wall_s = 10;
  CHECK(late(9.9, 0, limits) == std::nullopt);
  CHECK(late(10, 0, limits) == End::timed_out);
  limits.busy_s = 71;  // 100 times what the reference needs, for one.
  limits.patience = Patience{100, 10};
  CHECK(late(851, 9.9, limits) == std::nullopt);
  CHECK(late(132, 10, limits) == End::timed_out);
  CHECK(late(852, 9.9, limits) == End::machine_busy);
  limits.busy_s = 5;
  CHECK(late(119, 9.9, limits) == std::nullopt);
  CHECK(late(120, 9.9, limits) == End::machine_busy);

  const auto told = [&](End end) {
    ProcessResult result;
    result.end = end;
    return reason_of_end("worker", result, limits)->headline;
  };
  CHECK_THAT(told(End::timed_out), Catch::Matchers::StartsWith("The answer did not finish within 10 s:"));
  CHECK_THAT(told(End::too_much_work),
             Catch::Matchers::StartsWith(
                 "The answer did not finish within 10 s of CPU time, nor within 100 times what the reference needs"));
  CHECK_THAT(told(End::machine_busy),
             Catch::Matchers::StartsWith("The answer did not finish within 120 s by the clock. It had computed"));
}

TEST_CASE("memory, files, output, replies and processes are limited") {
  Environment patient = quick();  // On a busy machine they take longer than a second.
  patient.limits.wall_s = 20;
  if (!WARPBOOK_SANITIZED) CHECK(says(run("take memory", patient), "bad_alloc"));
  CHECK(says(run("write a large file", patient), "wrote to a file beyond 4 MiB"));
  CHECK(says(run("print without end", patient), "printed more than 1 MiB"));
  CHECK(says(run("send a large reply", patient), "sent back more than 8 MiB"));
  CHECK(says(run("start many processes"), "more than 16 processes"));
}

TEST_CASE("a process that an answer leaves behind is ended with it, and fails it") {
  const TemporaryFolder folder;
  const std::string mark = folder.path() + "/mark";
  const Outcome outcome =
      run_submission(WARPBOOK_FAKE_WORKER, Case().set("do", "leave a child behind").set("mark", mark), quick(), 42);
  CHECK(outcome.status == Status::failed);
  CHECK(says(outcome, "left processes running when it ended: 1"));
  REQUIRE(std::filesystem::exists(mark));
  const auto size = std::filesystem::file_size(mark);
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  CHECK(std::filesystem::file_size(mark) == size);
}

TEST_CASE("forged replies are refused") {
  CHECK(says(run("forge a reply"), "The reply does not come from the lab's worker"));
  CHECK(run("forge a reply").status == Status::failed);
  CHECK(says(run("send twice"), "The reply does not come from the lab's worker"));
}

TEST_CASE("the output of a failing answer is shown") {
  const Outcome outcome = run("print");
  CHECK(says(outcome, "to stdout"));
  CHECK(says(outcome, "to stderr"));
}

TEST_CASE("an answer sees a clean environment and an empty folder of its own") {
  setenv("WARPBOOK_SEED", "123456789", 1);
  const Outcome outcome = run("look around");
  unsetenv("WARPBOOK_SEED");
  INFO(outcome.message());
  REQUIRE(outcome.status == Status::completed);
  const std::string environment = outcome.answer.reply.text("environment");
  CHECK(environment.find("WARPBOOK_SEED") == std::string::npos);
  CHECK(environment.find("123456789") == std::string::npos);
  CHECK(outcome.answer.reply.integer("descriptors") == 0);
  CHECK(outcome.answer.reply.integer("stdin is empty") == 1);
  CHECK_FALSE(std::filesystem::exists(outcome.answer.reply.text("folder")));
}

TEST_CASE("a missing program is named, with what to do") {
  const Outcome outcome = run_submission("/no/such/worker", Case().set("do", "echo"), quick(), 1);
  CHECK(outcome.status == Status::failed);
  CHECK(says(outcome, "/no/such/worker"));
  CHECK(says(outcome, "Build it first"));
}

TEST_CASE("on the virtual GPU a missing or broken profile is a failure, a good one is read") {
  Environment counted = quick();
  counted.counted = true;
  counted.device_process = WARPBOOK_FAKE_DEVICE;
  CHECK(says(run("echo", counted), "without having used the device"));
  CHECK(says(run("broken profile", counted), "cannot be read"));
  const Outcome outcome = run_submission(
      WARPBOOK_FAKE_WORKER,
      Case().set("do", "twice, counted").set("in", std::vector<float>{1}).set("kernels", R"({"name": "k"})"), counted,
      1);
  INFO(outcome.message());
  REQUIRE(outcome.status == Status::completed);
  REQUIRE(outcome.answer.profile.kernels.size() == 1);
  CHECK(outcome.answer.profile.kernels[0].name == "k");
}

TEST_CASE("messages of the virtual GPU come with the answer, with the project's paths") {
  Environment counted = quick();
  counted.counted = true;
  counted.device_process = WARPBOOK_FAKE_DEVICE;
  counted.sources = Sources("/project");
  const Outcome outcome =
      run_submission(WARPBOOK_FAKE_WORKER,
                     Case()
                         .set("do", "twice, counted")
                         .set("in", std::vector<float>{1})
                         .set("says", "warpbook: hello")
                         .set("complaint", "launches of 3 threads were refused at /project/labs/a/a.cu:7."),
                     counted, 1);
  REQUIRE(outcome.status == Status::completed);
  CHECK(outcome.answer.complaints == std::vector<std::string>{"launches of 3 threads were refused at labs/a/a.cu:7."});
  REQUIRE(outcome.answer.printed.size() == 1);
  CHECK(outcome.answer.printed[0].stream == "stderr");
  CHECK(outcome.answer.printed[0].text == "warpbook: hello");
}

TEST_CASE("a fault of the virtual GPU is explained, whether the program notices it or not") {
  Environment counted = quick();
  counted.counted = true;
  counted.device_process = WARPBOOK_FAKE_DEVICE;
  counted.sources = Sources("/project");
  const std::string error =
      R"({"code": 700, "name": "cudaErrorIllegalAddress", "kind": "out_of_bounds", "message": "", "kernel": "copy_kernel",
          "block": [3, 0, 0], "thread": [7, 0, 0], "address": 4096, "bytes": 4, "write": true,
          "file": "/project/labs/copy/copy.cu", "line": 21, "nearest_allocation": "400 bytes"})";
  for (const char* what : {"fault", "unnoticed fault"}) {
    CAPTURE(what);
    const Outcome outcome =
        run_submission(WARPBOOK_FAKE_WORKER, Case().set("do", what).set("error", error), counted, 1);
    CHECK(outcome.status == Status::failed);
    CHECK(says(outcome, "wrote 4 bytes at 0x1000"));
    CHECK(says(outcome, "at labs/copy/copy.cu:21"));
    CHECK(says(outcome, "kernel copy_kernel, block (3, 0, 0), thread (7, 0, 0)"));
    CHECK(says(outcome, "Compare the index"));
  }
}

TEST_CASE("a fault in shared memory, at a shuffle, or of a vector has advice of its own") {
  Environment counted = quick();
  counted.counted = true;
  counted.device_process = WARPBOOK_FAKE_DEVICE;
  const auto told = [&](const std::string& kind, const std::string& cause, const std::string& bytes = "4") {
    const std::string error =
        R"({"code": 700, "name": "cudaErrorIllegalAddress", "message": "words", "kind": ")" + kind +
        R"(", "cause": ")" + cause +
        R"(", "kernel": "sum_kernel", "block": [0, 0, 0], "thread": [8, 0, 0], "address": 140462610448416,
          "bytes": )" +
        bytes +
        R"(, "write": false, "file": "/project/labs/sum/sum.cu", "line": 7,
          "nearest_allocation": ""})";
    return run_submission(WARPBOOK_FAKE_WORKER, Case().set("do", "fault").set("error", error), counted, 1);
  };
  const Outcome shared = told("out_of_bounds", "outside_shared");
  CHECK(shared.finding.kind == FindingKind::out_of_bounds);
  CHECK(shared.finding.topic == "outside_shared");
  CHECK(shared.finding.sites.at(0).line == 7);
  CHECK(says(shared, "read 4 bytes beyond the block's shared memory"));
  CHECK(says(shared, "has the indices 0 to n - 1"));
  const Outcome foreign = told("out_of_bounds", "other_grids_memory");
  CHECK(says(foreign, "pointers to global memory only"));
  CHECK_FALSE(says(foreign, "2D array"));
  CHECK_FALSE(says(shared, "2D array"));
  const Outcome shuffle = told("deadlock", "lanes");
  CHECK(says(shuffle, "wait for others, which never come"));
  CHECK(says(shuffle, "A shuffle waits for all lanes that its mask names"));
  CHECK_FALSE(says(shuffle, "__syncthreads()"));
  const Outcome barrier = told("divergent_barrier", "barrier");
  CHECK(says(barrier, "__syncthreads() must be reached"));
  CHECK(says(told("out_of_bounds", "", "16"), "n floats hold n / 4 of them"));
}

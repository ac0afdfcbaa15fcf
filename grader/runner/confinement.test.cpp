// Programs that are started through another one, and what they write to descriptor 4.
#include "grader/runner/confinement.h"

#include <string>

#include "common/testing/catch.h"
#include "grader/judge/results.h"
#include "grader/judge/source_text.h"
#include "grader/runner/submission.h"
#include "grader/runner/temporary_folder.h"

using namespace warpbook::grader;

namespace {

/// A shell with given commands, as if it were bubblewrap around a program.
ProcessResult run_shell(const std::string& script, bool returns = false, std::uint64_t resident_bytes = 0) {
  ProcessRequest request;
  request.program = "/bin/sh";
  request.arguments = {"-c", script};
  request.folder = "/";
  request.environment["PATH"] = "/usr/bin:/bin";
  request.confined = true;
  request.returns = returns;
  request.limits.wall_s = 10;
  request.limits.resident_bytes = resident_bytes;
  request.limits.reply_bytes = 100'000;
  return run_process(request);
}

std::string error_of(const std::string& text) {
  const TemporaryFolder folder;
  write_file(folder.path() + "/c.json", text);
  try {
    read_confinement(folder.path() + "/c.json");
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

constexpr const char* kLimits =
    R"("limits": {"wall_s": 3, "cpu_s": 4, "busy_s": 2, "memory_bytes": 5, "resident_bytes": 6,
                                              "processes": 7})";

}  // namespace

TEST_CASE("what is written to descriptor 4 comes back, up to the limit") {
  const ProcessResult result = run_shell("printf profile >&4", true);
  REQUIRE(result.end == End::exited);
  CHECK(std::string(reinterpret_cast<const char*>(result.returned.data()), result.returned.size()) == "profile");
  CHECK(run_shell("while echo xxxxxxxxxxxxxxxx >&4; do :; done", true).end == End::reply_too_large);
  CHECK(run_shell("printf x 2>/dev/null >&4").code != 0);
}

TEST_CASE("the exit status of a sandbox says how the program in it ended") {
  CHECK(run_shell("exit 3").code == 3);
  const ProcessResult crashed = run_shell("exit 139");
  CHECK(crashed.end == End::signalled);
  CHECK(crashed.code == 11);
  const ProcessResult left = run_shell("exit 125");
  CHECK(left.end == End::exited);
  CHECK(left.left_behind == 1);
}

TEST_CASE("the memory of all processes together is limited") {
  const std::string take = "head -c 300000000 /dev/zero | tail -c 300000000 >/dev/null";
  CHECK(run_shell(take, false, 100 << 20).end == End::too_much_memory);
  CHECK(run_shell("sleep 0.2", false, 100 << 20).end == End::exited);
}

TEST_CASE("a confined program gets its folder and its command line") {
  Confinement confinement;
  confinement.command = {"/usr/bin/env", "INSIDE=1"};
  confinement.program = "/answer";
  confinement.folder = "/tmp";
  ProcessRequest request;
  request.program = "/outside/answer";
  request.arguments = {"serve"};
  confinement.apply(request);
  CHECK(request.program == "/usr/bin/env");
  CHECK(request.arguments == std::vector<std::string>{"INSIDE=1", "/answer", "serve"});
  CHECK(request.environment["HOME"] == "/tmp");
  CHECK(request.confined);
}

TEST_CASE("a confinement file is read, or its mistake is named") {
  const std::string head =
      R"({"format": "warpbook.confinement", "version": 1, "program": "/answer", "folder": "/tmp", )";
  const TemporaryFolder folder;
  write_file(folder.path() + "/c.json", head + R"("command": ["bwrap"], )" + kLimits + "}");
  const Confinement read = read_confinement(folder.path() + "/c.json");
  CHECK(read.active());
  CHECK(read.limits.wall_s == 3);
  CHECK(read.limits.busy_s == 2);
  CHECK(read.limits.resident_bytes == 6);
  CHECK(error_of(head + kLimits + "}").find("command") != std::string::npos);
  CHECK(error_of("{}").find("format") != std::string::npos);
  CHECK(error_of(R"({"format": "warpbook.confinement", "version": 2})").find("version 1") != std::string::npos);
  const std::string command = head + R"("command": ["bwrap"], )";
  CHECK_THAT(error_of(command + R"("limits": {"wall_sec": 3}})"), Catch::Contains("'wall_sec' is not a limit"));
  CHECK_THAT(error_of(command + R"("limits": {"cpu_s": -1}})"), Catch::Contains("'cpu_s' is -1"));
  CHECK_THAT(error_of(command + R"("limits": {"processes": "2"}})"), Catch::Contains("'processes' is \"2\""));
  CHECK_THROWS_AS(read_confinement("/nonexistent"), std::runtime_error);
}

TEST_CASE("lines of a submitted answer are shown, lines of any other file are not") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/a.cu", other = folder.path() + "/solution.cu";
  write_file(file, "first\nsecond\n");
  write_file(other, "secret\n");
  CHECK(Sources().line(other, 1) == "secret");
  const Sources sources("/project", {"/warpbook", "labs/a/a.cu", file});
  CHECK(sources.line("/warpbook/labs/a/a.cu", 2) == "second");
  CHECK(sources.line(other, 1).empty());
  CHECK(sources.line(file, 1).empty());
  CHECK(sources.relative("/warpbook/labs/a/a.cu") == "labs/a/a.cu");
  CHECK(sources.relative("/project/labs/a/a.h") == "labs/a/a.h");
}

// `warpbook run --check` from outside: what is found, the report, the exit code, suppressions, and clear errors.
#include <fstream>
#include <nlohmann/json.hpp>

#include "common/testing/catch.h"
#include "grader/runner/process.h"
#include "grader/runner/temporary_folder.h"

using namespace warpbook::grader;

namespace {

const std::string kLeaky = WARPBOOK_LEAKY;

/// `warpbook run OPTIONS -- leaky ARGUMENT`
ProcessResult run(std::vector<std::string> options, const std::string& argument, const std::string& folder = "/") {
  ProcessRequest request;
  request.program = WARPBOOK_COMMAND;
  request.arguments = {"run"};
  request.arguments.insert(request.arguments.end(), options.begin(), options.end());
  request.arguments.insert(request.arguments.end(), {"--", kLeaky, argument});
  request.environment = {{"PATH", "/usr/bin:/bin"}};
  request.folder = folder;
  request.limits.memory_bytes = 0;
  return run_process(request);
}

bool has(const std::string& text, const std::string& part) {
  INFO(text);
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a checked program keeps its output and its exit code, and its findings go to stderr and a report") {
  const TemporaryFolder folder;
  const ProcessResult result = run({"--check", "memory,leak", "--check-report", "r.json"}, "twice", folder.path());
  CHECK(result.output == "done");
  CHECK(result.code == 3);
  CHECK(has(result.error, "warpbook: memory, double free: cudaFree of 0x"));
  CHECK(has(result.error, "leaky.cu:16:  if (std::strcmp(what, \"twice\") == 0) cudaFree(data);"));
  CHECK(has(result.error, "warpbook: 1 finding (1 memory)\n"));
  std::ifstream file(folder.path() + "/r.json");
  const auto report = nlohmann::json::parse(file);
  CHECK(report["format"] == "warpbook check report");
  REQUIRE(report["findings"].size() == 1);
  CHECK(report["findings"][0]["kind"] == "double_free");
}

TEST_CASE("the option --error-exitcode gives the exit code of programs with findings only, after all their output") {
  const ProcessResult faulty = run({"--check", "leak", "--error-exitcode", "77"}, "leak");
  CHECK(faulty.code == 77);
  CHECK(faulty.output == "done");
  CHECK(has(faulty.error, "128 bytes of the 1st cudaMalloc are never freed"));
  const ProcessResult clean = run({"--check", "all", "--error-exitcode", "77"}, "once");
  CHECK(clean.code == 3);
  CHECK(has(clean.error, "warpbook: no findings\n"));
}

TEST_CASE("the option --suppress may be given several times") {
  const ProcessResult result = run({"--check", "all", "--error-exitcode", "77", "--suppress", "kernel=nothing",
                                    "--suppress", "check=leak,leaky.cu:12"},
                                   "leak");
  CHECK(result.code == 3);
  CHECK(has(result.error, "warpbook: no findings, 1 suppressed\n"));
}

TEST_CASE("invalid options of checks are named, with what is allowed") {
  const auto check = [](std::vector<std::string> options, const std::string& text) {
    const ProcessResult result = run(std::move(options), "once");
    CHECK(result.code == 2);
    CHECK(has(result.output + result.error, text));
    CHECK_FALSE(has(result.output, "done"));
  };
  check({"--check", "memory,speed"}, "--check: there is no check 'speed'; there are: memory, init, race, sync, leak");
  check({"--check", ","}, "--check: ");
  check({"--check", "all", "--error-exitcode", "0"},
        "--error-exitcode: '0' is not an exit code: write a number from 1");
  check({"--check", "all", "--error-exitcode", "256"}, "'256' is not an exit code");
  check({"--check", "all", "--error-exitcode", "one"}, "'one' is not an exit code");
  check({"--check", "all", "--check-report", "/no/such/folder/r.json"},
        "the folder of the check report, /no/such/folder, does not exist");
  check({"--check", "all", "--suppress", "check=speed"}, "--suppress: the suppression 'check=speed' names the unknown");
  check({"--check", "all", "--suppress", "leaky.cu"}, "has the part 'leaky.cu', which is not valid");
  check({"--suppress", "check=leak"}, "--suppress requires --check");
  check({"--error-exitcode", "1"}, "--error-exitcode requires --check");
  check({"--check-report", "r.json"}, "--check-report requires --check");
}

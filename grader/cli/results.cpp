// warpbook results and demo: from the records of tests and the ladder to results.json and a table.
#include "grader/core/results.h"

#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "grader/cli/commands.h"
#include "grader/core/process.h"

namespace warpbook::grader {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// Runs a program of the project itself, with room to spare.
ProcessResult run_trusted(const Manifest& manifest, const std::string& program, std::vector<std::string> arguments) {
  ProcessRequest request;
  request.program = program;
  request.arguments = std::move(arguments);
  for (const char* name : {"PATH", "HOME", "TMPDIR", "LANG", "WARPBOOK_SEED"}) {
    if (const char* value = std::getenv(name)) request.environment[name] = value;
  }
  request.folder = manifest.project_root;
  request.limits.wall_s = 1800;
  request.limits.cpu_s = 7200;
  request.limits.memory_bytes = 0;
  request.limits.processes = 100000;  // The answers' own limits hold.
  request.limits.file_bytes = 1ull << 40;
  return run_process(request);
}

LadderStep read_step(const Json& json, const std::string& output) {
  LadderStep step;
  step.rung = json.at("rung").get<std::string>();
  step.title = json.at("title").get<std::string>();
  step.source = json.at("source").get<std::string>();
  step.problem = json.at("problem").get<std::string>();
  if (json.at("time_us").is_number()) step.time_us = json.at("time_us").get<double>();
  if (json.at("measured_us").is_number()) step.measured_us = json.at("measured_us").get<double>();
  if (json.at("kernel").is_number()) step.kernel = json.at("kernel").get<int>();
  const std::string profile = json.at("profile").get<std::string>();
  if (!profile.empty()) step.profile = fs::relative(profile, output).string();
  return step;
}

/// Starts a lab's test program, which judges answers in processes of their own.
ProcessResult run_tests(const Manifest& manifest, std::vector<std::string> arguments) {
  return run_trusted(manifest, manifest.test_program, std::move(arguments));
}

/// Builds a student's answer. A failure is left where build_failure() finds it: one answer that does not compile must
/// not keep the others from being graded.
void build_answer(const Manifest& manifest) {
  const ProcessResult result =
      run_trusted(manifest, WARPBOOK_CMAKE,
                  {"-DLAB=" + manifest.lab, "-DBUILD=" + manifest.build_folder, "-DRESULTS=" + manifest.results_folder,
                   "-P", manifest.project_root + "/common/cmake/build_lab.cmake"});
  if (result.end != End::exited)
    throw std::runtime_error("building lab " + manifest.lab + " did not end: " + result.error);
}

/// Runs the ladder of a lab. Where the answer itself is not started or fails, its step says why.
Ladder climb(const Manifest& manifest, const std::string& answer, const std::string& output) {
  const std::string folder = output + "/profiles/" + manifest.lab;
  fs::remove_all(folder);
  fs::create_directories(folder);
  const ProcessResult result = run_tests(manifest, {"--answer", answer, "--ladder", folder});
  std::ifstream in(folder + "/ladder.json");
  if (result.end != End::exited || result.code != 0 || !in) {
    throw std::runtime_error("the ladder of lab " + manifest.lab + " cannot be run: " + result.error + result.output);
  }
  const Json json = Json::parse(in);
  Ladder ladder;
  for (const Json& step : json.at("rungs")) ladder.rungs.push_back(read_step(step, output));
  ladder.answer = read_step(json.at("answer"), output);
  return ladder;
}

std::string text(const Json& number, const char* format) {
  if (!number.is_number()) return "-";
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, format, number.get<double>());
  return buffer;
}

void print_table(const Json& results) {
  const bool counted = results.at("backend") == "virtual";
  std::printf("\n%-20s %-13s %15s %18s %18s\n", "lab", "status", "points", counted ? "predicted time" : "measured time",
              "speed-up over naive");
  for (const Json& lab : results.at("labs")) {
    const std::string points = text(lab.at("points"), "%.4g") + " of " + text(lab.at("max_points"), "%.4g");
    const Json& time = counted ? lab.at("time_us") : lab.at("measured_us");
    const std::string shown = time.is_number() ? text(time, "%.1f us") : "-";
    std::printf("%-20s %-13s %15s %18s %18s\n", lab.at("lab").get<std::string>().c_str(),
                lab.at("status").get<std::string>().c_str(), points.c_str(), shown.c_str(),
                text(lab.at("speedup_over_naive"), "%.2f x").c_str());
  }
  std::printf("\n");
}

void print_problems(const Json& lab, const Ladder& ladder) {
  for (const Json& test : lab.at("tests")) {
    if (test.at("status") == "failed") {
      std::printf("%s: failed\n%s", test.at("name").get<std::string>().c_str(),
                  test.at("message").get<std::string>().c_str());
    }
  }
  for (const LadderStep& step : ladder.rungs) {
    if (!step.problem.empty())
      std::printf("%s: rung %s: %s\n", lab.at("lab").get<std::string>().c_str(), step.rung.c_str(),
                  step.problem.c_str());
  }
}

}  // namespace

int write_results(const ResultsOptions& options) {
  const std::vector<Manifest> manifests = read_manifests(options.build_folder);
  const std::string output = fs::absolute(options.output).lexically_normal().string();
  std::vector<Json> labs;
  bool failed = false;
  for (const Manifest& manifest : manifests) {
    std::printf("grading %s (%s)\n", manifest.lab.c_str(), manifest.source_of(options.answer).c_str());
    std::fflush(stdout);
    if (options.grade && options.answer == "student") build_answer(manifest);
    const std::string failure = build_failure(manifest, options.answer);
    if (!failure.empty()) std::printf("%s", failure.c_str());
    if (options.grade && failure.empty()) {
      const ProcessResult result = run_tests(manifest, {"--answer", options.answer});
      const bool ran = result.end == End::exited && (result.code == 0 || result.code == 1 || result.code == 77);
      if (!ran)
        throw std::runtime_error("the tests of lab " + manifest.lab + " did not run: " + result.error + result.output);
    }
    const std::vector<TestRecord> records = read_records(manifest, options.answer);
    Ladder ladder = climb(manifest, options.answer, output);
    if (!failure.empty()) ladder.answer = LadderStep();  // What ran was an older program.
    labs.push_back(lab_results(manifest, options.answer, records, ladder));
    print_problems(labs.back(), ladder);
    const bool rungs_failed = std::any_of(ladder.rungs.begin(), ladder.rungs.end(),
                                          [](const LadderStep& step) { return !step.problem.empty(); });
    failed = failed || rungs_failed || (options.grade && labs.back().at("status") != "passed");
  }
  const Json results = all_results(manifests, labs);
  write_file(output + "/results.json", results.dump(2) + "\n");
  print_table(results);
  std::printf("%s\n", fs::relative(output + "/results.json").c_str());
  // A student's labs may be unfinished; the project's own solutions may not.
  return failed && options.answer == "solution" ? 1 : 0;
}

}  // namespace warpbook::grader

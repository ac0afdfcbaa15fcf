// warpbook results: turns the records of tests and the ladder into results.json and a table.
#include "grader/judge/results.h"

#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "grader/cli/commands.h"
#include "grader/runner/process.h"
#include "grader/runner/timed_worker.h"

namespace warpbook::grader {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// Runs a program of the project itself, with generous limits.
ProcessResult run_trusted(const Manifest& manifest, const std::string& program, std::vector<std::string> arguments) {
  ProcessRequest request;
  request.program = program;
  request.arguments = std::move(arguments);
  for (const char* name : {"PATH", "HOME", "TMPDIR", "LANG", "WARPBOOK_SEED"}) {
    if (const char* value = std::getenv(name)) request.environment[name] = value;
  }
  if (!manifest.reference.empty()) request.environment["PYTHONPATH"] = project_root_of(manifest.build_folder);
  request.folder = manifest.project_root;
  request.limits.wall_s = 1800;
  request.limits.cpu_s = 7200;
  request.limits.memory_bytes = 0;
  request.limits.processes = 100000;  // The answers have limits of their own.
  // The answers' devices are started by this: the memory that they share with programs is a sparse file of terabytes.
  request.limits.file_bytes = 1ull << 50;
  return run_process(request);
}

/// Starts a lab's test program, which judges answers in processes of their own.
ProcessResult run_tests(const Manifest& manifest, std::vector<std::string> arguments) {
  return run_trusted(manifest, manifest.test_program, std::move(arguments));
}

/// Builds a student's answer. A failure is recorded where build_failure() finds it: one answer that does not compile
/// must not keep the others from being graded.
void build_answer(const Manifest& manifest) {
  const bool edition = !manifest.reference.empty();  // It has no build tool.
  const ProcessResult result = edition ? run_trusted(manifest, "/usr/bin/env",
                                                     {python(), "-m", "grader.learner.edition_tests",
                                                      manifest.build_folder, manifest.lab, "--build-only"})
                                       : run_trusted(manifest, WARPBOOK_CMAKE,
                                                     {"-DLAB=" + manifest.lab, "-DBUILD=" + manifest.build_folder,
                                                      "-DRESULTS=" + manifest.results_folder, "-P",
                                                      manifest.project_root + "/common/cmake/build_lab.cmake"});
  constexpr int kUnable = 3;  // grader/learner/edition_tests.py
  if (result.end != End::exited || (edition && result.code == kUnable))
    throw std::runtime_error("building lab " + manifest.lab + " did not finish: " + result.error + result.output);
}

/// Runs the ladder of a lab. If the answer itself is not started or fails, its step says why.
Ladder climb(const Manifest& manifest, const std::string& answer, const std::string& output, bool large) {
  const std::string folder = output + "/profiles/" + manifest.lab;
  fs::remove_all(folder);
  fs::create_directories(folder);
  std::vector<std::string> arguments = {"--answer", answer, "--ladder", folder, "--plots"};
  if (large) arguments.push_back("--large");
  const ProcessResult result = run_tests(manifest, arguments);
  std::ifstream in(folder + "/ladder.json");
  if (result.end != End::exited || result.code != 0 || !in) {
    throw std::runtime_error("the ladder of lab " + manifest.lab + " cannot be run: " + result.error + result.output);
  }
  Ladder ladder = ladder_from_json(Json::parse(in));
  const auto relate = [&](LadderStep& step) {
    if (!step.profile.empty()) step.profile = fs::relative(step.profile, output).string();
  };
  std::for_each(ladder.rungs.begin(), ladder.rungs.end(), relate);
  relate(ladder.answer);
  return ladder;
}

std::string text(const Json& number, const char* format) {
  if (!number.is_number()) return "-";
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, format, number.get<double>());
  return buffer;
}

std::string microseconds(const Json& number) { return number.is_number() ? text(number, "%.1f us") : "-"; }

std::string share(const Json& measured) {
  if (!measured.is_object() || !measured.at("copy_share").is_number()) return "-";
  return text(Json(100 * measured.at("copy_share").get<double>()), "%.0f %%");
}

/// Prints every rung with its predicted and measured times, and how close it comes to a copy of as many bytes.
void print_ladder(const Json& lab) {
  std::printf("\n%s\n  %-24s %12s %12s %12s %12s %12s\n", lab.at("lab").get<std::string>().c_str(), "rung", "predicted",
              "measured", "of a copy", "large", "of a copy");
  for (const Json& step : lab.at("ladder")) {
    const Json& large = step.at("large");
    std::printf("  %-24s %12s %12s %12s %12s %12s%s\n", step.at("rung").get<std::string>().c_str(),
                microseconds(step.at("time_us")).c_str(), microseconds(step.at("measured_us")).c_str(),
                share(step.at("measured")).c_str(), large.is_object() ? microseconds(large.at("us")).c_str() : "-",
                share(large).c_str(), step.at("library").get<bool>() ? "  (library)" : "");
  }
  for (const Json& pair : lab.at("disorder")) {
    std::printf("  order differs: %s is predicted to be faster than %s, and is measured to be slower\n",
                pair.at("predicted_faster").get<std::string>().c_str(),
                pair.at("measured_faster").get<std::string>().c_str());
  }
}

void print_table(const Json& results) {
  const bool on_gpu = results.at("backend") == "gpu";
  if (on_gpu) {
    for (const Json& lab : results.at("labs")) print_ladder(lab);
  }
  std::printf("\n%-24s %-13s %15s %15s", "lab", "status", "points", "predicted time");
  std::printf(on_gpu ? " %15s" : "%.0s", "measured time");
  std::printf(" %20s\n", "speed-up over naive");
  for (const Json& lab : results.at("labs")) {
    const std::string points = text(lab.at("points"), "%.4g") + " of " + text(lab.at("max_points"), "%.4g");
    std::printf("%-24s %-13s %15s %15s", lab.at("lab").get<std::string>().c_str(),
                lab.at("status").get<std::string>().c_str(), points.c_str(), microseconds(lab.at("time_us")).c_str());
    if (on_gpu) std::printf(" %15s", microseconds(lab.at("measured_us")).c_str());
    std::printf(" %20s\n", text(lab.at("speedup_over_naive"), "%.2f x").c_str());
  }
  std::printf("\n");
}

/// Fails at once if there is no GPU, not after everything was built and run in vain.
void require_gpu(const Manifest& manifest) {
  Environment environment;
  environment.sources = Sources(manifest.project_root);
  environment.limits.memory_bytes = 0;
  const Outcome outcome =
      TimedWorker(manifest.copy_probe, environment, 1).run(Case().set("bytes", 1 << 20), Timing::waiting);
  if (outcome.status == Outcome::Status::completed) {
    std::printf("GPU: %s\n", outcome.answer.reply.text("device").c_str());
    return;
  }
  throw std::runtime_error("no usable GPU was found, and the preset gpu needs one.\n" + outcome.message() +
                           "Without a GPU, the virtual one does the same: cmake --workflow --preset demo");
}

void print_problems(const Json& lab, const Ladder& ladder) {
  for (const Json& test : lab.at("tests")) {
    const std::string status = test.at("status").get<std::string>();
    if (status == "failed" || status == "inconclusive") {
      std::printf("%s: %s\n%s", test.at("name").get<std::string>().c_str(), status.c_str(),
                  test.at("message").get<std::string>().c_str());
    }
  }
  for (const LadderStep& step : ladder.rungs) {
    if (!step.problem.empty())
      std::printf("%s: rung %s: %s\n", lab.at("lab").get<std::string>().c_str(), step.rung.c_str(),
                  step.problem.c_str());
  }
}

/// The named labs, or all if none is named. @throws std::runtime_error for a name that no lab has
std::vector<Manifest> selected(std::vector<Manifest> manifests, const std::vector<std::string>& labs) {
  if (labs.empty()) return manifests;
  for (const std::string& lab : labs) {
    if (std::none_of(manifests.begin(), manifests.end(), [&](const Manifest& one) { return one.lab == lab; }))
      throw std::runtime_error("--lab " + lab + ": there is no such lab; `warpbook list` lists them");
  }
  std::erase_if(manifests,
                [&](const Manifest& one) { return std::find(labs.begin(), labs.end(), one.lab) == labs.end(); });
  return manifests;
}

}  // namespace

int write_results(const ResultsOptions& options) {
  const std::vector<Manifest> manifests = selected(read_manifests(options.build_folder), options.labs);
  const std::string output = fs::absolute(options.output).lexically_normal().string();
  if (manifests.front().backend == "gpu") require_gpu(manifests.front());
  std::vector<Json> labs;
  std::string gpu;
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
    Ladder ladder = climb(manifest, options.answer, output, options.large);
    gpu = ladder.device;
    if (!failure.empty()) ladder.answer = LadderStep(), ladder.plots.clear();  // What ran was an older program.
    labs.push_back(lab_results(manifest, options.answer, records, ladder));
    print_problems(labs.back(), ladder);
    const bool rungs_failed = std::any_of(ladder.rungs.begin(), ladder.rungs.end(),
                                          [](const LadderStep& step) { return !step.problem.empty(); });
    const Json& status = labs.back().at("status");
    failed = failed || rungs_failed || (options.grade && status != "passed" && status != "inconclusive");
  }
  const Json results = all_results(manifests, labs, gpu);
  write_file(output + "/results.json", results.dump(2) + "\n");
  print_table(results);
  std::printf("%s\n", fs::relative(output + "/results.json").c_str());
  // A student's labs may be unfinished; the project's own solutions may not.
  return failed && options.answer == "solution" ? 1 : 0;
}

}  // namespace warpbook::grader

// The command line, `warpbook`.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <string>

#include "grader/cli/commands.h"

namespace {

using namespace warpbook::grader;

/// The build folder that this program lies in: <build folder>/bin/warpbook. An installed folder looks the same.
std::string own_build_folder() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path().string();
}

/// Accepts digits only, of a number that is at least `least`.
CLI::Validator whole_number(int least) {
  const auto check = [least](const std::string& text) -> std::string {
    const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
    if (digits && text.size() <= 18 && std::stoll(text) >= least) return "";
    return "'" + text + "' must be a whole number from " + std::to_string(least) + " on";
  };
  return CLI::Validator(check, "N");
}

/// Whether a first word is an option or the name of a command.
bool is_known(const CLI::App& app, const std::string& word) {
  if (word.rfind('-', 0) == 0) return true;
  const auto has_that_name = [&word](const CLI::App* command) { return command->get_name() == word; };
  return !app.get_subcommands(has_that_name).empty();
}

int run(int argc, char** argv) {
  CLI::App app("warpbook: graded CUDA labs, and a virtual GPU that runs any CUDA program");
  app.name("warpbook");
  app.require_subcommand(1);
  const std::string build = own_build_folder();

  RunOptions run_options;
  run_options.library_folder = build + "/lib";
  run_options.project_root = project_root_of(build);
  CLI::App* run = app.add_subcommand("run", "Run a program built by `nvcc -cudart shared` on the virtual GPU");
  run->add_option("--profile", run_options.profile, "Write what was counted to this file (docs/formats.md)");
  run->add_option("--device", run_options.device, "Device to imitate")->capture_default_str();
  run->add_option("--threads", run_options.threads, "Host threads; results do not depend on it")
      ->check(whole_number(1));
  run->add_option("--schedule-seed", run_options.schedule_seed, "Another order of what a GPU leaves unordered")
      ->check(whole_number(0));
  run->add_option("--step-limit", run_options.step_limit, "End a launch after this many instructions of a warp")
      ->check(whole_number(1));
  run->add_option("command", run_options.command, "-- PROGRAM ARGUMENTS...")->required();
  run->positionals_at_end();

  ResultsOptions results_options;
  results_options.build_folder = build;
  CLI::App* results =
      app.add_subcommand("results", "Write results.json from the tests that ctest ran, and the ladders");
  results->add_option("--build-folder", results_options.build_folder, "Where the labs are built")
      ->capture_default_str();
  results->add_option("--answer", results_options.answer, "student or solution")
      ->check(CLI::IsMember({"student", "solution"}))
      ->capture_default_str();
  results->add_option("--output", results_options.output, "Folder of results.json and the profiles");
  results->add_flag("--grade", results_options.grade, "Run all tests now, instead of using what ctest left");
  results->add_flag("--large", results_options.large, "On a real GPU: the large benchmarks too, of 256 MiB and more");

  CLI::App* demo = app.add_subcommand("demo", "Grade the reference solutions of all labs and print a table");
  demo->add_option("--build-folder", results_options.build_folder, "Where the labs are built")->capture_default_str();
  demo->add_option("--output", results_options.output, "Folder of results.json and the profiles");

  std::string explain_folder = build;
  long explained_run = 0;
  CLI::App* explain =
      app.add_subcommand("explain", "Say why tests of labs failed in a run of ctest (ctest does this itself)");
  explain->add_option("--build-folder", explain_folder, "Where the labs are built")->capture_default_str();
  explain->add_option("--run", explained_run, "Process id of that ctest")->required();

  // Commands in Python get their arguments, --help too, as they are.
  for (const PythonCommand& command : python_commands()) app.add_subcommand(command.name, command.description);
  if (argc > 1) run_python_command(build, argv[1], {argv + 2, argv + argc});
  if (argc == 1) {
    std::fputs(app.help().c_str(), stderr);
    return 2;
  }
  if (!is_known(app, argv[1])) {
    std::fprintf(stderr, "warpbook: there is no command '%s'; `warpbook --help` lists them\n", argv[1]);
    return 2;
  }

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int status = app.exit(error);
    return status == 0 ? 0 : 2;
  }
  if (run->parsed()) run_program(run_options);
  if (explain->parsed()) return explain_run(explain_folder, explained_run);
  if (demo->parsed()) {
    results_options.answer = "solution";
    results_options.grade = true;
  }
  if (results_options.output.empty()) {
    results_options.output =
        results_options.build_folder + (results_options.answer == "solution" ? "/report" : "/student_report");
  }
  return write_results(results_options);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "warpbook: %s\n", error.what());
    return 2;
  }
}

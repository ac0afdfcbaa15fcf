// The command line, `warpbook`.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "common/simulator/observe/findings.h"
#include "common/simulator/runtime/profile_filter.h"
#include "common/simulator/runtime/suppression.h"
#include "grader/cli/commands.h"

namespace {

using namespace warpbook::grader;
using warpbook::simulator::CheckSet;
using warpbook::simulator::runtime::NamePattern;
using warpbook::simulator::runtime::parse_suppressions;
using warpbook::simulator::runtime::RangePattern;

/// The build folder that contains this program: <build folder>/bin/warpbook. An installed folder has the same layout.
std::string own_build_folder() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path().string();
}

/// Accepts decimal numbers from `least` on.
CLI::Validator whole_number(int least) {
  const auto check = [least](const std::string& text) -> std::string {
    const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
    if (digits && text.size() <= 18 && std::stoll(text) >= least) return "";
    return "'" + text + "' must be a whole number from " + std::to_string(least) + " up";
  };
  return CLI::Validator(check, "N");
}

/// Accepts texts that `parse` accepts: it throws std::invalid_argument for others.
template <class Parse>
CLI::Validator parsed_by(const char* name, Parse parse) {
  const auto check = [parse](const std::string& text) -> std::string {
    try {
      parse(text);
      return "";
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
  };
  return CLI::Validator(check, name);
}

/// The options of `warpbook run` that belong to the checkers.
void add_check_options(CLI::App& run, RunOptions& options) {
  const auto parse_checks = [](const std::string& text) {
    if (!CheckSet::parse(text).any()) throw std::invalid_argument("no check is named: write memory,race or all");
  };
  const auto parse_code = [](const std::string& text) {
    const bool digits = !text.empty() && text.size() <= 3 && text.find_first_not_of("0123456789") == std::string::npos;
    if (!digits || std::stoi(text) < 1 || std::stoi(text) > 255)
      throw std::invalid_argument("'" + text + "' is not an exit code: write a number from 1 to 255");
  };
  const auto parse_rule = [](const std::string& text) {
    if (parse_suppressions(text).empty()) throw std::invalid_argument("the suppression is empty: write kernel=NAME");
  };
  CLI::Option* const check =
      run.add_option("--check", options.check,
                     "What to look for: memory, init, race, sync, leak, with commas, or all (docs/checkers.md)")
          ->check(parsed_by("CHECKS", parse_checks));
  run.add_option("--check-report", options.check_report, "Write the findings to this file, too (docs/formats.md)")
      ->needs(check);
  run.add_option("--error-exitcode", options.error_exit_code, "Exit code if the checkers found errors")
      ->check(parsed_by("1..255", parse_code))
      ->needs(check);
  run.add_option("--suppress", options.suppressions,
                 "Do not report this: kernel=NAME, FILE:LINE, check=NAME, or several with commas; may be repeated")
      ->check(parsed_by("RULE", parse_rule))
      ->take_all()
      ->expected(1)
      ->needs(check);
}

/// The options of `warpbook run` that limit a profile, as Nsight Compute's command line has them.
void add_filter_options(CLI::App& run, RunOptions& options, CLI::Option* profile) {
  const auto parse_name = [](const std::string& text) { NamePattern{text}; };
  const auto parse_range = [](const std::string& text) { RangePattern{text}; };
  run.add_option("--kernel-name", options.kernel_name,
                 "Profile only this kernel: its function's name, or regex:EXPRESSION")
      ->check(parsed_by("NAME", parse_name))
      ->needs(profile);
  run.add_option("--launch-skip", options.launch_skip,
                 "Do not profile the first N launches that match the other filters")
      ->check(whole_number(0))
      ->needs(profile);
  run.add_option("--launch-count", options.launch_count, "Profile no more than N launches")
      ->check(whole_number(1))
      ->needs(profile);
  run.add_option("--nvtx-include", options.nvtx_include,
                 "Profile only launches within these ranges: A or A,B (started), A/ or A/B (pushed); may be repeated")
      ->check(parsed_by("RANGES", parse_range))
      ->take_all()
      ->expected(1)
      ->needs(profile);
  run.add_option("--profile-from-start", options.profile_from_start, "off: profile only from cudaProfilerStart to Stop")
      ->check(CLI::IsMember({"on", "off"}))
      ->needs(profile);
}

/// Options of `warpbook run` and `warpbook debug`: which device, and in which order it works.
void add_device_options(CLI::App& run, RunOptions& options) {
  run.add_option("--device", options.device, "Device to simulate")->capture_default_str();
  run.add_option("--devices", options.devices, "How many devices the machine has, or a list of them: h200,h200");
  run.add_option("--schedule-seed", options.schedule_seed, "Run in another order that CUDA allows, to expose races")
      ->check(whole_number(0));
  run.add_option("--step-limit", options.step_limit, "End a launch after this many instructions of a warp")
      ->check(whole_number(1));
  run.add_option("--cache-control", options.cache_control,
                 "all: no kernel finds in the L2 what earlier ones left there, as under Nsight Compute")
      ->check(CLI::IsMember({"all", "none"}));
}

/// `warpbook debug`, with the options of gdb.
CLI::App* add_debug(CLI::App& app, RunOptions& options, bool& adapter) {
  CLI::App* const debug = app.add_subcommand(
      "debug", "Run a program built with `nvcc -G -cudart shared` under the debugger (docs/debugger.md)");
  const auto command = [&options](const char* kind) {
    return [&options, kind](const std::string& text) { options.debug_commands.push_back(kind + text); };
  };
  debug->add_option_function<std::string>("-x,--command", command("x "), "Execute the debugger's commands in this file")
      ->trigger_on_parse()
      ->take_last();
  debug
      ->add_option_function<std::string>("--ex,--eval-command", command("ex "), "Execute this command; may be repeated")
      ->trigger_on_parse()
      ->take_last();
  debug->add_flag("--batch", options.batch, "End after these commands");
  add_device_options(*debug, options);
  add_check_options(*debug, options);
  debug->add_flag("--dap", adapter, "Speak the Debug Adapter Protocol on standard input and output: for editors");
  debug->add_option("program", options.command, "-- PROGRAM ARGUMENTS...");
  debug->positionals_at_end();
  return debug;
}

/// Whether a first word is an option or the name of a command.
bool is_known(const CLI::App& app, const std::string& word) {
  if (word.rfind('-', 0) == 0) return true;
  const auto has_that_name = [&word](const CLI::App* command) { return command->get_name() == word; };
  return !app.get_subcommands(has_that_name).empty();
}

/// `warpbook run`.
CLI::App* add_run(CLI::App& app, RunOptions& options) {
  CLI::App* const run =
      app.add_subcommand("run", "Run a program built with `nvcc -cudart shared`, or Python, on the virtual GPU");
  CLI::Option* const profile =
      run->add_option("--profile", options.profile, "Write counters and the timeline to this file (docs/formats.md)");
  add_filter_options(*run, options, profile);
  run->add_option("--trace", options.trace,
                  "Write the timeline to this file, for chrome://tracing and Perfetto (docs/formats.md)");
  add_device_options(*run, options);
  run->add_option("--threads", options.threads, "Number of host threads; results do not depend on it")
      ->check(whole_number(1));
  add_check_options(*run, options);
  run->add_option("command", options.command, "-- PROGRAM ARGUMENTS...")->required();
  run->positionals_at_end();
  return run;
}

/// `warpbook results`.
void add_results(CLI::App& app, ResultsOptions& options) {
  CLI::App* const results =
      app.add_subcommand("results", "Write results.json from the tests that ctest ran, and the ladders");
  results->add_option("--build-folder", options.build_folder, "Where the labs are built")->capture_default_str();
  results->add_option("--answer", options.answer, "student or solution")
      ->check(CLI::IsMember({"student", "solution"}))
      ->capture_default_str();
  results->add_option("--output", options.output, "Folder of results.json and the profiles");
  results->add_flag("--grade", options.grade, "Run all tests now, instead of using ctest's last results");
  results->add_option("--lab", options.labs, "Only this lab; may be repeated. Otherwise all labs")
      ->allow_extra_args(false);
  results->add_flag("--large", options.large, "On a real GPU: the large benchmarks too, of 256 MiB or more");
}

/// `warpbook explain`.
CLI::App* add_explain(CLI::App& app, std::string& build_folder, long& ctest) {
  CLI::App* const explain =
      app.add_subcommand("explain", "Say why tests of labs failed in a run of ctest (ctest does this itself)");
  explain->add_option("--build-folder", build_folder, "Where the labs are built")->capture_default_str();
  explain->add_option("--ctest", ctest, "Process id of ctest: its options say what it has printed already")->required();
  return explain;
}

/// The command line, with gdb's long options of `warpbook debug`, which may have a single dash.
std::vector<std::string> words_of(int argc, char** argv) {
  std::vector<std::string> words(argv, argv + argc);
  for (std::size_t i = 2; words[1] == "debug" && i < words.size() && words[i] != "--"; ++i)
    if (words[i] == "-ex" || words[i] == "-batch") words[i].insert(0, "-");
  return words;
}

int run(int argc, char** argv) {
  CLI::App app("warpbook: graded CUDA labs, and a virtual GPU that runs any CUDA program");
  app.name("warpbook");
  app.require_subcommand(1);
  const std::string build = own_build_folder();

  RunOptions run_options;
  run_options.library_folder = build + "/lib";
  run_options.tool_folder = build + "/libexec";
  run_options.project_root = project_root_of(build);
  const CLI::App* const run = add_run(app, run_options);
  bool adapter = false;
  const CLI::App* const debug = add_debug(app, run_options, adapter);
  const CLI::App* const devices = app.add_subcommand("devices", "List the devices that --device takes");
  ResultsOptions results_options;
  results_options.build_folder = build;
  add_results(app, results_options);
  std::string explain_folder = build;
  long explained_ctest = 0;
  const CLI::App* const explain = add_explain(app, explain_folder, explained_ctest);

  // Commands in Python get their arguments unchanged, including --help.
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

  std::vector<std::string> words = words_of(argc, argv);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  try {
    app.parse(argc, arguments.data());
  } catch (const CLI::ParseError& error) {
    const int status = app.exit(error);
    return status == 0 ? 0 : 2;
  }
  if (devices->parsed()) return list_devices(run_options.project_root);
  run_options.debug = debug->parsed();
  if (adapter) return run_debug_adapter(run_options);
  if (debug->parsed() && run_options.command.empty())
    throw std::runtime_error("a program is missing: warpbook debug -- ./program");
  if (run->parsed() || debug->parsed()) run_program(run_options);
  if (explain->parsed()) return explain_run(explain_folder, explained_ctest);
  if (results_options.output.empty())
    results_options.output =
        results_options.build_folder + (results_options.answer == "solution" ? "/report" : "/student_report");
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

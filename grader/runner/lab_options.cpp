// The command line of a lab's test program, as CLI11 reads it. A file of its own, as CLI11 takes long to compile.
#include "grader/runner/lab_options.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdlib>

namespace warpbook::grader {

namespace {

constexpr const char* kSeedVariable = "WARPBOOK_SEED";
constexpr const char* kOfSubmitted = "A submitted answer, built elsewhere: graded by all tests, run on the benchmark";

/// A whole number, also as 0x and hexadecimal digits. @throws CLI::ValidationError
std::uint64_t seed_of(const std::string& text) {
  const bool is_hexadecimal = text.starts_with("0x");
  const char* const first = text.data() + (is_hexadecimal ? 2 : 0);
  const char* const last = text.data() + text.size();
  std::uint64_t seed = 0;
  const auto [end, error] = std::from_chars(first, last, seed, is_hexadecimal ? 16 : 10);
  if (error != std::errc() || end != last)
    throw CLI::ValidationError("--seed (" + std::string(kSeedVariable) + ")",
                               "the seed must be a whole number of at most 64 bits, not '" + text + "'");
  return seed;
}

void add_options(CLI::App& app, LabOptions& options, const std::vector<std::string>& expectations) {
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  app.add_option("--manifest", options.manifest, "")->group("");  // For tests of this program.
  app.add_option("--answer", options.answer,
                 "student, solution, skeleton, right:, wrong: or exploit:<name>, or a path from the project's root")
      ->capture_default_str();
  app.add_option("--test", options.test, "Only this test, <kind>.<sentence>; 'correctness.*' are all of a kind");
  app.add_option_function<std::string>(
         "--seed", [&options](const std::string& text) { options.seed = seed_of(text); },
         "Repeat the run that printed this seed")
      ->envname(kSeedVariable);
  app.add_option("--ladder", options.ladder.folder,
                 "Run every rung and the answer on the benchmark; ladder.json and profiles go to this folder");
  app.add_flag("--large", options.ladder.large,
               "With --ladder, on a real GPU: the large benchmark too, if the lab has one");
  app.add_option("--expect", options.expect, "Check the lab")->check(CLI::IsMember(expectations));
  app.add_option("--run-file", options.run_file,
                 "The test belongs to the run that this file names (ctest); otherwise to the one that the variable "
                 "WARPBOOK_RUN names, which goes before the file, or else to one of its own");
  app.add_option("--record", options.record,
                 "Run the solution, and write to this file what is asked of the reference: times, and what its cases "
                 "need");
  app.add_option("--program", options.program, "Its program")->group(kOfSubmitted);
  app.add_option("--source", options.source, "Its source, for the lines that messages show")->group(kOfSubmitted);
  app.add_option("--root", options.root, "What the compiler saw as the project's root")->group(kOfSubmitted);
  app.add_option("--records", options.records, "results.json and the profile student.json go to this folder")
      ->group(kOfSubmitted);
  app.add_option("--confine", options.confine, "Limits, and how to run it in a sandbox (warpbook.confinement)")
      ->group(kOfSubmitted);
}

}  // namespace

std::variant<LabOptions, int> read_lab_options(int argc, char** argv, LabOptions options,
                                               const std::vector<std::string>& expectations, int usage) {
  CLI::App app("Tests of a warpbook lab.");
  add_options(app, options, expectations);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : usage;
  }
  unsetenv(kSeedVariable);
  return options;
}

}  // namespace warpbook::grader

// The command line of a lab's test program.
#include "grader/runner/lab_options.h"

#include <charconv>
#include <cstdlib>
#include <stdexcept>

#include "common/command_line/command_line.h"

namespace warpbook::grader {

namespace {

constexpr const char* kSeedVariable = "WARPBOOK_SEED";
constexpr const char* kOfSubmitted = "A submitted answer, built elsewhere: graded by all tests, run on the benchmark";

/// A whole number, also as 0x and hexadecimal digits. @throws std::invalid_argument
std::uint64_t seed_of(const std::string& text) {
  const bool is_hexadecimal = text.starts_with("0x");
  const char* const first = text.data() + (is_hexadecimal ? 2 : 0);
  const char* const last = text.data() + text.size();
  std::uint64_t seed = 0;
  const auto [end, error] = std::from_chars(first, last, seed, is_hexadecimal ? 16 : 10);
  if (error != std::errc() || end != last)
    throw std::invalid_argument("the seed (or " + std::string(kSeedVariable) +
                                ") must be a whole number of at most 64 bits, not '" + text + "'");
  return seed;
}

void add_options(CommandLine& app, LabOptions& options, const std::vector<std::string>& expectations) {
  app.add("--manifest", options.manifest, "").group("");  // For tests of this program.
  app.add("--answer", options.answer,
          "student, solution, skeleton, right:, wrong: or exploit:<name>, or a path from the project's root")
      .show_default();
  app.add("--test", options.test, "Only this test, <kind>.<sentence>; 'correctness.*' are all of a kind");
  app.add(
         "--seed", [&options](const std::string& text) { options.seed = seed_of(text); },
         "Repeat the run that printed this seed")
      .variable(kSeedVariable);
  app.add("--ladder", options.ladder.folder,
          "Run every rung and the answer on the benchmark; ladder.json and profiles go to this folder");
  app.add("--rungs", options.ladder.rungs,
          "With --ladder: run the answer alone, with the rungs as an earlier run wrote them to this ladder.json");
  app.flag("--large", options.ladder.large,
           "With --ladder, on a real GPU: the large benchmark too, if the lab has one");
  app.flag("--plots", options.ladder.plots, "With --ladder: the lab's plots of the answer too, if it has any");
  app.add("--expect", options.expect, "Check the lab").one_of(expectations);
  app.add("--run-file", options.run_file,
          "File with the name of the run that this test belongs to (from ctest). The variable WARPBOOK_RUN takes "
          "precedence; without both, the test is a run of its own");
  app.add("--record", options.record,
          "Run the solution, and write the reference's figures to this file: times, and what its cases "
          "need");
  app.add("--program", options.program, "Its program").group(kOfSubmitted);
  app.add("--source", options.source, "Its source, for the lines that messages show").group(kOfSubmitted);
  app.add("--root", options.root, "The project's root as the compiler saw it").group(kOfSubmitted);
  app.add("--records", options.records, "results.json and the profile student.json go to this folder")
      .group(kOfSubmitted);
  app.add("--confine", options.confine, "Limits, and how to run it in a sandbox (warpbook.confinement)")
      .group(kOfSubmitted);
}

}  // namespace

std::variant<LabOptions, int> read_lab_options(int argc, char** argv, LabOptions options,
                                               const std::vector<std::string>& expectations, int usage) {
  CommandLine app("Tests of a warpbook lab.");
  add_options(app, options, expectations);
  if (const std::optional<int> status = app.parse(argc, argv, usage)) return *status;
  unsetenv(kSeedVariable);
  return options;
}

}  // namespace warpbook::grader

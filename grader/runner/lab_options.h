// The command line of a lab's test program.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "grader/runner/lab_context.h"

namespace warpbook::grader {

/// What a lab's test program is asked for (docs/formats.md has what it writes).
struct LabOptions {
  std::string manifest;            ///< The file that says what is built.
  std::string answer = "student";  ///< Which answer is run.
  std::string test;                ///< The only test to run; empty: all.
  std::string expect;              ///< What is checked of the lab itself; empty: nothing.
  LadderOptions ladder;
  std::optional<std::uint64_t> seed;  ///< Repeats a run; nothing: a fresh one.
  std::string run_file;               ///< Where the run that this test belongs to is named.
  std::string record;                 ///< Where figures of the reference go.

  /// Of a submitted answer, built elsewhere: all or none of them.
  std::string program, source, root, records, confine;
};

/// Reads the command line, and WARPBOOK_SEED, which is taken out of the environment: an answer must not see it.
/// @param options     what holds where nothing is said
/// @param expectations what --expect may be
/// @returns the options; or the exit status with which the program ends now, as it has printed its help, or what is
/// wrong: 0 or @p usage
std::variant<LabOptions, int> read_lab_options(int argc, char** argv, LabOptions options,
                                               const std::vector<std::string>& expectations, int usage);

}  // namespace warpbook::grader

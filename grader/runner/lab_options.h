// The command line of a lab's test program.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "grader/runner/lab_context.h"

namespace warpbook::grader {

/// Options of a lab's test program (docs/formats.md describes its output).
struct LabOptions {
  std::string manifest;            ///< The file that says what is built.
  std::string answer = "student";  ///< Which answer is run.
  std::string test;                ///< The only test to run; empty: all.
  std::string expect;              ///< A check of the lab itself; empty: none.
  LadderOptions ladder;
  std::optional<std::uint64_t> seed;  ///< Repeats a run; nothing: a fresh one.
  std::string run_file;               ///< The file with the name of the run that this test belongs to.
  std::string record;                 ///< The file for figures of the reference.

  /// Of a submitted answer, built elsewhere: all or none of them.
  std::string program, source, root, records, confine;
};

/// Reads the command line, and WARPBOOK_SEED, which is removed from the environment: an answer must not see it.
/// @param options     the defaults
/// @param expectations the values that --expect may have
/// @returns the options; or the exit status with which the program ends now, after printing its help or an
/// error: 0 or @p usage
std::variant<LabOptions, int> read_lab_options(int argc, char** argv, LabOptions options,
                                               const std::vector<std::string>& expectations, int usage);

}  // namespace warpbook::grader

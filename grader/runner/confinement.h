// Confinement: how the program of a submitted answer is started so that it can reach nothing of the grader.
#pragma once

#include <string>
#include <vector>

#include "grader/runner/process.h"

namespace warpbook::grader {

/// What is put before a program's command line, and what the program then sees.
struct Confinement {
  std::vector<std::string> command;  ///< bubblewrap with its arguments, up to the inner program; empty: none.
  std::string program;               ///< The program's path inside.
  std::string folder;                ///< The working folder inside, which ends with the program.
  Limits limits;

  bool active() const { return !command.empty(); }
  /// Makes a request that runs the program one that runs it confined; what it wants to leave goes to descriptor 4.
  void apply(ProcessRequest& request) const;
};

/// Reads a file of format warpbook.confinement (docs/formats.md): limits, and how to confine (no command: not at all).
/// @throws std::runtime_error that says what is wrong with it
Confinement read_confinement(const std::string& path);

}  // namespace warpbook::grader

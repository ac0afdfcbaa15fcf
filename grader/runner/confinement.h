// Confinement: how the program of a submitted answer is started so that it cannot reach anything of the grader.
#pragma once

#include <string>
#include <vector>

#include "grader/runner/process.h"

namespace warpbook::grader {

/// The prefix of a program's command line, and the paths that the program then sees.
struct Confinement {
  std::vector<std::string> command;  ///< bubblewrap with its arguments, up to the inner program; empty: none.
  std::string program;               ///< The program's path inside.
  std::string folder;                ///< The working folder inside, which disappears with the program.
  Limits limits;

  bool active() const { return !command.empty(); }
  /// Changes a request so that it runs the program confined; files that it returns go to descriptor 4.
  void apply(ProcessRequest& request) const;
};

/// Reads a file of format warpbook.confinement (docs/formats.md): limits, and how to confine (no command: not at all).
/// @throws std::runtime_error that says what is wrong with it
Confinement read_confinement(const std::string& path);

}  // namespace warpbook::grader

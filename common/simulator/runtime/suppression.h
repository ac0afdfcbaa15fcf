// Suppressions: findings of the checkers that somebody knows and does not want to see.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/simulator/observe/findings.h"

namespace warpbook::simulator::runtime {

/// One rule. All that it says must match; what it leaves out matches everything.
struct Suppression {
  std::optional<Check> check;  ///< check=leak
  std::string kernel;          ///< kernel=NAME: a pattern with * and ?, of the whole name or of it without arguments.
  std::string file;            ///< FILE:LINE: the end of a path, from a "/" on.
  std::uint32_t line = 0;

  /// @param text "kernel=add*", "add.cu:14", "check=race", or several of these with commas between them. A comma in the
  /// name of a kernel belongs to the name.
  /// @throws std::invalid_argument that says what is wrong
  static Suppression parse(std::string_view text);

  /// Whether a finding whose places are resolved is one that the rule means. Any of its sites will do.
  bool matches(const CheckFinding& finding) const;
};

/// Rules with line ends or semicolons between them, as in WARPBOOK_CHECK_SUPPRESS.
/// @throws std::invalid_argument
std::vector<Suppression> parse_suppressions(std::string_view text);

}  // namespace warpbook::simulator::runtime

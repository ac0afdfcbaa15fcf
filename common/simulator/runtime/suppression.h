// Suppressions: known findings of the checkers that are not to be shown.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/simulator/observe/findings.h"

namespace warpbook::simulator::runtime {

/// One rule. All given parts must match; omitted parts match everything.
struct Suppression {
  std::optional<Check> check;  ///< check=leak
  std::string kernel;  ///< kernel=NAME: a pattern with * and ? for the whole name or the name without arguments.
  std::string file;    ///< FILE:LINE: the end of a path, starting after a "/".
  std::uint32_t line = 0;

  /// @param text "kernel=add*", "add.cu:14", "check=race", or several of these separated by commas. A comma in the name
  /// of a kernel belongs to the name.
  /// @throws std::invalid_argument that says what is wrong
  static Suppression parse(std::string_view text);

  /// Whether the rule matches a finding whose places are resolved. Any of its sites may match.
  bool matches(const CheckFinding& finding) const;
};

/// Rules separated by newlines or semicolons, as in WARPBOOK_CHECK_SUPPRESS.
/// @throws std::invalid_argument
std::vector<Suppression> parse_suppressions(std::string_view text);

}  // namespace warpbook::simulator::runtime

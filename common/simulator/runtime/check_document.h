// The report of the checkers as a document for programs, written as docs/formats.md says.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "common/simulator/observe/findings.h"

namespace warpbook::simulator::runtime {

/// All that is reported at the end.
struct CheckResult {
  CheckSet checks;
  std::vector<CheckFinding> findings;  ///< With their places resolved.
  std::uint64_t suppressed = 0, left_out = 0;
  std::vector<std::string> gaps;  ///< What was not checked, and why.
  /// True if any is more than a race whose stores write the same values.
  bool has_errors() const;
};

nlohmann::json names_of(CheckSet checks);
nlohmann::json findings_document(const std::vector<CheckFinding>& findings);

/// @param indent columns for each level, or -1: one line
std::string document_of(const CheckResult& result, int indent);

}  // namespace warpbook::simulator::runtime

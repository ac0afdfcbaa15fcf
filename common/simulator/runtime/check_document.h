// The checkers' report as a document for programs, in the format of docs/formats.md.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "common/simulator/observe/findings.h"

namespace warpbook::simulator::runtime {

/// Everything that is reported at the end.
struct CheckResult {
  CheckSet checks;
  std::vector<CheckFinding> findings;  ///< With their places resolved.
  std::uint64_t suppressed = 0, left_out = 0;
  std::vector<std::string> gaps;  ///< What was not checked, and why.
  /// True if there is more than races whose stores write the same value.
  bool has_errors() const;
};

nlohmann::json names_of(CheckSet checks);
nlohmann::json findings_document(const std::vector<CheckFinding>& findings);

/// @param indent spaces per level, or -1: one line
std::string document_of(const CheckResult& result, int indent);

}  // namespace warpbook::simulator::runtime

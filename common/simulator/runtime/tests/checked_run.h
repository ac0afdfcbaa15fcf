// Runs a test program with checkers and reads what they report.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/simulator/runtime/tests/program.h"

namespace warpbook::simulator::runtime {

struct CheckedRun {
  Outcome outcome;
  nlohmann::json report;  ///< Null if none was written.

  /// The only finding. Fails the test and returns null if there is none or more than one.
  nlohmann::json only() const;
  /// The findings of one kind.
  std::vector<nlohmann::json> of(const std::string& kind) const;
  bool says(const std::string& text) const { return outcome.errors.find(text) != std::string::npos; }
};

CheckedRun run_checked(const std::string& program, const std::vector<std::string>& arguments, const std::string& checks,
                       std::map<std::string, std::string> environment = {});

/// The program is in another process than the device: call sites are unknown.
bool is_apart();

/// The place of a site, "checks.cu:14", or "" if it has none.
std::string place_of(const nlohmann::json& site);

/// "checks.cu:N" of the line that holds @p text, the only one.
std::string place_of_text(const std::string& file, const std::string& text);

/// The site of this role; null if there is none.
nlohmann::json site_of(const nlohmann::json& finding, const std::string& role);

}  // namespace warpbook::simulator::runtime

// Reports of checkers, read back.
#include "common/simulator/runtime/tests/checked_run.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "common/testing/catch.h"

namespace warpbook::simulator::runtime {

using nlohmann::json;

json CheckedRun::only() const {
  INFO(outcome.errors);
  CHECK(report.is_object());
  if (!report.is_object()) return nullptr;
  CHECK(report["findings"].size() == 1);
  return report["findings"].size() == 1 ? report["findings"][0] : json();
}

std::vector<json> CheckedRun::of(const std::string& kind) const {
  std::vector<json> found;
  if (!report.is_object()) return found;
  for (const json& finding : report["findings"])
    if (finding["kind"] == kind) found.push_back(finding);
  return found;
}

CheckedRun run_checked(const std::string& program, const std::vector<std::string>& arguments, const std::string& checks,
                       std::map<std::string, std::string> environment) {
  char folder[] = "/tmp/warpbook_checks_XXXXXX";
  REQUIRE(::mkdtemp(folder) != nullptr);
  const std::string path = std::string(folder) + "/report.json";
  environment["WARPBOOK_CHECK"] = checks;
  environment["WARPBOOK_CHECK_REPORT"] = path;
  CheckedRun run{run_program(program, arguments, environment), nullptr};
  if (std::ifstream file(path); file) run.report = json::parse(file, nullptr, false);
  std::filesystem::remove_all(folder);
  return run;
}

bool is_apart() { return std::getenv("WARPBOOK_RUN_APART") != nullptr; }

std::string place_of(const json& site) {
  if (!site.is_object() || !site.contains("file")) return "";
  return std::filesystem::path(site["file"].get<std::string>()).filename().string() + ":" +
         std::to_string(site["line"].get<int>());
}

std::string place_of_text(const std::string& file, const std::string& text) {
  std::ifstream source(std::string(WARPBOOK_TEST_SOURCES) + "/" + file);
  std::string found;
  int number = 0;
  for (std::string line; std::getline(source, line);) {
    ++number;
    if (line.find(text) == std::string::npos) continue;
    REQUIRE(found.empty());
    found = file + ":" + std::to_string(number);
  }
  REQUIRE_FALSE(found.empty());
  return found;
}

json site_of(const json& finding, const std::string& role) {
  if (finding.is_object() && finding.contains("sites")) {
    for (const json& site : finding["sites"])
      if (site["role"] == role) return site;
  }
  return nullptr;
}

}  // namespace warpbook::simulator::runtime

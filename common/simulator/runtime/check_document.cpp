// Writes the checkers' report as JSON.
#include "common/simulator/runtime/check_document.h"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "common/simulator/runtime/number_text.h"

namespace warpbook::simulator::runtime {
namespace {

// Keeps keys in the order that is best to read.
using json = nlohmann::ordered_json;

void put(json& object, const char* key, const std::string& text) {
  if (!text.empty()) object[key] = text;
}

json site_record(const CheckSite& site) {
  json out = json::object();
  put(out, "role", site.role);
  put(out, "file", site.file);
  if (site.line != 0) out["line"] = site.line;
  put(out, "text", site.text);
  put(out, "instruction", site.instruction);
  put(out, "kernel", site.kernel);
  if (!site.kernel.empty()) {
    out["block"] = site.block;
    out["thread"] = site.thread;
  }
  put(out, "value_is", site.value_is);
  put(out, "value", site.value);
  if (site.value.empty()) put(out, "value_unknown", site.value_unknown);
  return out;
}

json finding_record(const CheckFinding& finding) {
  json out = json::object(), sites = json::array();
  for (const CheckSite& site : finding.sites) sites.push_back(site_record(site));
  out["check"] = name_of(finding.check);
  put(out, "kind", finding.kind);
  out["tier"] = finding.same_value ? "same_value" : "error";
  out["count"] = finding.count;
  put(out, "kernel", finding.kernel);
  put(out, "space", finding.space);
  if (finding.address != 0 || !finding.space.empty()) out["address"] = hexadecimal(finding.address);
  put(out, "allocation", finding.allocation);
  put(out, "message", finding.message);
  out["sites"] = std::move(sites);
  put(out, "missing", finding.missing);
  put(out, "advice", finding.advice);
  return out;
}

json finding_records(const std::vector<CheckFinding>& findings) {
  json out = json::array();
  for (const CheckFinding& finding : findings) out.push_back(finding_record(finding));
  return out;
}

}  // namespace

bool CheckResult::has_errors() const {
  return std::any_of(findings.begin(), findings.end(), [](const CheckFinding& finding) { return !finding.same_value; });
}

nlohmann::json names_of(CheckSet checks) {
  auto names = nlohmann::json::array();
  for (const Check check : kChecks)
    if (checks.has(check)) names.push_back(name_of(check));
  return names;
}

nlohmann::json findings_document(const std::vector<CheckFinding>& findings) { return finding_records(findings); }

std::string document_of(const CheckResult& result, int indent) {
  json document = json::object();
  document["format"] = "warpbook check report";
  document["version"] = 1;
  document["checks"] = names_of(result.checks);
  document["findings"] = finding_records(result.findings);
  document["suppressed"] = result.suppressed;
  document["left_out"] = result.left_out;
  if (!result.gaps.empty()) document["gaps"] = result.gaps;
  return document.dump(indent, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace warpbook::simulator::runtime

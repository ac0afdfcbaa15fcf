// Names of the checkers, and which findings have the same cause.
#include "common/simulator/observe/findings.h"

#include <algorithm>
#include <stdexcept>

namespace warpbook::simulator {

std::string triple(const std::array<std::uint32_t, 3>& at) {
  return "(" + std::to_string(at[0]) + "," + std::to_string(at[1]) + "," + std::to_string(at[2]) + ")";
}

namespace {

/// Equal for findings with the same cause: races are identified by their two lines, whatever was done there.
std::string cause_of(const CheckFinding& finding) {
  const bool race = finding.check == Check::race;
  std::vector<std::string> places;
  for (const CheckSite& site : finding.sites) {
    const bool has_line = site.line != 0;
    places.push_back((race && has_line ? std::string() : site.role + ' ') + site.file + ':' +
                     std::to_string(site.line) +
                     (has_line ? std::string()
                               : ' ' + site.instruction + ' ' + site.kernel + ' ' + std::to_string(site.host_place)));
  }
  std::sort(places.begin(), places.end());
  std::string cause = std::string(name_of(finding.check)) + '\n' + (race ? std::string() : finding.kind);
  // Host calls whose lines are unknown are distinguished by what is wrong with them.
  const bool nowhere = std::all_of(finding.sites.begin(), finding.sites.end(),
                                   [](const CheckSite& site) { return site.line == 0 && site.host_place == 0; });
  if (nowhere) cause += '\n' + finding.message;
  for (const std::string& place : places) cause += '\n' + place;
  return cause;
}

}  // namespace

std::string_view name_of(Check check) {
  switch (check) {
    case Check::memory:
      return "memory";
    case Check::init:
      return "init";
    case Check::race:
      return "race";
    case Check::sync:
      return "sync";
    case Check::leak:
      return "leak";
  }
  return "";
}

CheckSet CheckSet::parse(std::string_view text) {
  CheckSet set;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    const std::string_view word = text.substr(0, comma);
    text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
    const auto found = std::find_if(kChecks.begin(), kChecks.end(), [&](Check c) { return name_of(c) == word; });
    if (word == "all") {
      for (const Check check : kChecks) set.add(check);
    } else if (found != kChecks.end()) {
      set.add(*found);
    } else {
      std::string known;
      for (const Check check : kChecks) known.append(name_of(check)).append(", ");
      throw std::invalid_argument("there is no check '" + std::string(word) + "'; there are: " + known + "all");
    }
  }
  return set;
}

void CheckFindings::add(CheckFinding finding) {
  const auto [place, fresh] = places_.try_emplace(cause_of(finding), findings_.size());
  if (!fresh) {
    if (place->second >= findings_.size()) return;
    CheckFinding& kept = findings_[place->second];
    const std::uint64_t count = kept.count + finding.count;
    if (kept.same_value && !finding.same_value) kept = std::move(finding);
    kept.count = count;
  } else if (findings_.size() < kMost) {
    findings_.push_back(std::move(finding));
  } else {
    place->second = kMost;
    left_out_ += finding.count;
  }
}

}  // namespace warpbook::simulator

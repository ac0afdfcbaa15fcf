// Which tests share a function with one whose checkers found something.
#include "grader/judge/soundness.h"

#include <algorithm>
#include <map>
#include <string>

namespace warpbook::grader {

namespace {

using Finders = std::map<std::string, const TestRecord*>;  // By function: the first test that found something there.

Finding withheld(const std::string& function, const TestRecord& finder, bool leaks) {
  Finding finding = finding_of(
      FindingKind::not_right_yet,
      "What passes here does not count yet: '" + finder.sentence + "' found " +
          (leaks ? "that " + function + "() leaks." : "that the result of " + function + "() is a matter of luck."),
      "Fix that first; then this test counts again.");
  finding.topic = "withheld";
  finding.subject = function;
  return finding;
}

}  // namespace

std::vector<std::size_t> withhold_lucky_points(std::vector<TestRecord>& records) {
  Finders unsound, leaking;
  for (const TestRecord& record : records) {
    for (const std::string& function : record.unsound) unsound.emplace(function, &record);
    for (const std::string& function : record.leaking) leaking.emplace(function, &record);
  }
  std::vector<std::size_t> changed;
  for (std::size_t i = 0; i < records.size(); ++i) {
    TestRecord& record = records[i];
    if (record.points == 0) continue;
    for (const std::string& function : record.functions) {
      auto found = unsound.find(function);
      const bool leaks = found == unsound.end();
      if (leaks) {
        found = leaking.find(function);
        if (found == leaking.end() || record.kind != "correctness") continue;
      }
      record.status = "failed";
      record.points = 0;
      record.finding = withheld(function, *found->second, leaks);
      changed.push_back(i);
      break;
    }
  }
  return changed;
}

}  // namespace warpbook::grader

// What a student reads about what a checker found.
#include "grader/judge/check_finding.h"

#include "common/testing/catch.h"

using namespace warpbook::grader;

namespace {

bool says(const Finding& finding, const char* words) {
  const std::string text = text_of(finding);
  INFO(text);
  return text.find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("a mask without its caller is a finding, and what else the check sync finds is none") {
  CheckRecord mask;
  mask.check = "sync";
  mask.kind = "mask_without_the_caller";
  mask.message = "lane 0 calls shfl.sync.idx.b32 with a mask that does not name it: what it gets is undefined";
  mask.advice = "call only with the lanes that it names";
  mask.sites = {{"call", "/lab/a.cu", "scan(int *)", "shfl.sync.idx.b32", 7}};
  CheckRecord refused;
  refused.check = "sync";
  refused.kind = "unchecked_error";
  Profile profile;
  profile.findings = {refused};
  CHECK_FALSE(explain_check(profile, {}, {}).has_value());
  profile.findings.push_back(mask);
  const auto finding = explain_check(profile, {}, {});
  REQUIRE(finding.has_value());
  CHECK(finding->kind == FindingKind::wrong_mask);
  CHECK(is_of_check(finding->kind));
  CHECK(says(*finding, "A wrong mask: lane 0 calls shfl.sync.idx.b32 with a mask that does not name it"));
  CHECK(says(*finding, "calls it: /lab/a.cu:7"));
}

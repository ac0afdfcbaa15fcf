// Points that an answer got by luck.
#include "grader/judge/soundness.h"

#include "common/testing/catch.h"

namespace {

using namespace warpbook::grader;

TestRecord passed(const std::string& kind, const std::string& sentence, std::vector<std::string> functions) {
  TestRecord record;
  record.lab = "sums";
  record.kind = kind;
  record.sentence = sentence;
  record.status = "passed";
  record.points = record.max_points = 5;
  record.functions = std::move(functions);
  return record;
}

TestRecord failed(const std::string& sentence, const std::string& function, FindingKind kind) {
  TestRecord record = passed("correctness", sentence, {function});
  record.status = "failed";
  record.points = 0;
  record.finding = finding_of(kind, "what was found");
  (kind == FindingKind::leak ? record.leaking : record.unsound) = {function};
  return record;
}

std::vector<double> points_of(const std::vector<TestRecord>& records) {
  std::vector<double> points;
  for (const TestRecord& record : records) points.push_back(record.points);
  return points;
}

}  // namespace

TEST_CASE("a race takes the points of each test of its function, and of no other") {
  std::vector<TestRecord> records = {
      passed("correctness", "an empty array has the sum 0", {"sum"}), failed("every size", "sum", FindingKind::race),
      passed("correctness", "rows are summed", {"row_sums"}),         passed("counters", "loads are whole", {"sum"}),
      passed("time", "both are fast", {"row_sums", "sum"}),
  };
  CHECK(withhold_lucky_points(records) == std::vector<std::size_t>{0, 3, 4});
  CHECK(points_of(records) == std::vector<double>{0, 0, 5, 0, 0});
  CHECK(records[0].status == "failed");
  REQUIRE(records[0].finding);
  CHECK(records[0].finding->kind == FindingKind::not_right_yet);
  CHECK(records[0].finding->subject == "sum");
  CHECK(records[0].finding->headline.find("'every size'") != std::string::npos);
  CHECK(records[1].finding->kind == FindingKind::race);
  CHECK(withhold_lucky_points(records).empty());
}

TEST_CASE("a leak takes the points of its function's tests of correctness") {
  std::vector<TestRecord> records = {
      failed("streams are destroyed", "pipeline", FindingKind::leak),
      passed("correctness", "all chunks are right", {"pipeline"}),
      passed("counters", "copies overlap", {"pipeline"}),
  };
  CHECK(withhold_lucky_points(records) == std::vector<std::size_t>{1});
  CHECK(points_of(records) == std::vector<double>{0, 0, 5});
}

TEST_CASE("without a finding, points are unchanged") {
  std::vector<TestRecord> records = {passed("correctness", "every size", {"sum"}), passed("time", "fast", {"sum"})};
  CHECK(withhold_lucky_points(records).empty());
  CHECK(points_of(records) == std::vector<double>{5, 5});
}

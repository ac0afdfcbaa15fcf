// Records, manifests, and results.json made of them.
#include "grader/judge/results.h"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "common/testing/catch.h"
#include "grader/runner/temporary_folder.h"

using namespace warpbook::grader;

namespace {

class Fixture {
 public:
  Fixture() {
    manifest.lab = "copy";
    manifest.chapter = "basics";
    manifest.title = "Copying";
    manifest.order = 3;
    manifest.project_root = folder_.path();
    manifest.results_folder = folder_.path() + "/results";
    manifest.backend = "virtual";
    manifest.device = "h200";
    manifest.tests = {{"correctness", "copies all", 2}, {"counters", "is coalesced", 1}, {"time", "is fast", 3}};
    write_file(program(), "the program");
    manifest.workers = {{"labs/basics/copy/copy.cu", program()}};
  }
  std::string program() const { return folder_.path() + "/program"; }
  const std::string& path() const { return folder_.path(); }

  void record(const std::string& kind, const std::string& sentence, const std::string& status, double points,
              bool not_started = false) {
    TestRecord record;
    record.lab = "copy";
    record.answer = "student";
    record.kind = kind;
    record.sentence = sentence;
    record.status = status;
    record.points = points;
    record.max_points = 3;
    record.not_started = not_started;
    if (status == "failed") record.finding = finding_of(FindingKind::too_slow, "because");
    record.program_hash = hash_file(program());
    record.run = "today";
    write_record(manifest, record);
  }
  nlohmann::json verdict(const std::string& key) const {
    std::ifstream in(manifest.results_folder + "/student.json");
    return nlohmann::json::parse(in).at(key);
  }
  nlohmann::json merged(const Ladder& ladder = {}) const {
    return lab_results(manifest, "student", read_records(manifest, "student"), ladder);
  }
  Manifest manifest;

 private:
  TemporaryFolder folder_;
};

LadderStep step(const std::string& rung, std::optional<double> time) {
  LadderStep result;
  result.rung = rung;
  result.time_us = time;
  return result;
}

}  // namespace

TEST_CASE("records are merged in the order of the tests, with their points") {
  Fixture f;
  f.record("time", "is fast", "failed", 1.5);
  f.record("correctness", "copies all", "passed", 2);
  f.record("counters", "is coalesced", "passed", 1);
  const auto lab = f.merged();
  CHECK(lab["points"] == 4.5);
  CHECK(lab["max_points"] == 6);
  CHECK(lab["status"] == "failed");
  REQUIRE(lab["tests"].size() == 3);
  CHECK(lab["tests"][0]["name"] == "copy.correctness.copies all");
  CHECK(lab["tests"][2]["status"] == "failed");
  CHECK(lab["tests"][2]["message"] == "  because\n");
  CHECK(lab["tests"][2]["finding"]["kind"] == "too_slow");
  CHECK(lab["tests"][1]["finding"].is_null());
  CHECK(lab["source"] == "labs/basics/copy/copy.cu");
}

TEST_CASE("a test without a record has not run, and earns nothing") {
  Fixture f;
  f.record("correctness", "copies all", "passed", 2);
  const auto lab = f.merged();
  CHECK(lab["tests"][1]["status"] == "not_run");
  CHECK(lab["points"] == 2);
  CHECK(lab["status"] == "failed");
}

TEST_CASE("a record of an older program does not count") {
  Fixture f;
  f.record("correctness", "copies all", "passed", 2);
  write_file(f.program(), "another program");
  const auto lab = f.merged();
  CHECK(lab["tests"][0]["status"] == "not_run");
  CHECK(lab["points"] == 0);
}

TEST_CASE("a lab is passed if all tests pass, not started if nothing is, build_failed if it does not compile") {
  Fixture f;
  for (const ListedTest& test : f.manifest.tests) f.record(test.kind, test.sentence, "passed", test.points);
  CHECK(f.merged()["status"] == "passed");
  for (const ListedTest& test : f.manifest.tests) f.record(test.kind, test.sentence, "skipped", 0, true);
  CHECK(f.merged()["status"] == "not_started");
  write_file(f.manifest.results_folder + "/build_failed.log", "error: expected ';'");
  CHECK(f.merged()["status"] == "build_failed");
  CHECK(f.merged()["points"] == 0);
}

TEST_CASE("the verdict beside the records is what they say together, with every record that comes or goes") {
  Fixture f;
  f.record("correctness", "copies all", "passed", 2);
  CHECK(f.verdict("status") == "failed");
  CHECK(f.verdict("points") == 2);
  CHECK(f.verdict("max_points") == 6);
  f.record("counters", "is coalesced", "passed", 1);
  f.record("time", "is fast", "inconclusive", 1.5);
  CHECK(f.verdict("status") == "inconclusive");
  CHECK(f.verdict("points") == 4.5);
  CHECK(f.verdict("run") == "today");
  remove_record(f.manifest, read_records(f.manifest, "student").front());
  CHECK(f.verdict("status") == "failed");
  CHECK(f.verdict("points") == 2.5);
  CHECK(read_records(f.manifest, "student").size() == 2);
  write_file(f.program(), "another program");
  f.record("correctness", "copies all", "passed", 2);
  CHECK(f.verdict("points") == 2);
}

TEST_CASE("with a damaged or foreign record, the test has not run") {
  Fixture f;
  write_file(f.manifest.results_folder + "/student/a.json", "{");
  write_file(f.manifest.results_folder + "/student/b.json", R"({"format": "other"})");
  CHECK(read_records(f.manifest, "student").empty());
}

TEST_CASE("the speed-up is against the first rung") {
  Fixture f;
  Ladder ladder;
  ladder.rungs = {step("naive", 90.0), step("tiled", 30.0)};
  ladder.answer = step("student", 45.0);
  CHECK(f.merged(ladder)["speedup_over_naive"] == 2.0);
  CHECK(f.merged(ladder)["ladder"].size() == 2);
  ladder.answer = step("student", std::nullopt);
  CHECK(f.merged(ladder)["speedup_over_naive"].is_null());
  CHECK(f.merged()["speedup_over_naive"].is_null());
}

TEST_CASE("rungs that measure in another order than predicted are named, unless noise or a library explains it") {
  const auto measured = [](const std::string& rung, double predicted, double us, double spread) {
    LadderStep made = step(rung, predicted);
    made.measured = MeasuredTime{us, us - spread, us + spread, 9, "queued"};
    return made;
  };
  Ladder ladder;
  ladder.rungs = {measured("naive", 90, 100, 1), measured("tiled", 30, 20, 1), measured("padded", 10, 40, 1),
                  measured("copy", 5, 200, 1)};
  ladder.rungs.back().library = true;
  const auto found = disorder_of(ladder);
  REQUIRE(found.size() == 1);
  CHECK(found[0].faster == "padded");
  CHECK(found[0].slower == "tiled");
  ladder.rungs[2].measured = MeasuredTime{40, 15, 45, 9, "queued"};
  CHECK(disorder_of(ladder).empty());
}

TEST_CASE("a ladder is the same after it was written and read") {
  Ladder ladder;
  ladder.device = "a GPU";
  ladder.rungs = {step("naive", 90.0), step("library", std::nullopt)};
  ladder.rungs[0].profile = "profiles/naive.json";
  ladder.rungs[0].kernel = 3;
  ladder.rungs[0].measured = MeasuredTime{20, 19, 22, 9, "waiting", 4e6, 10};
  ladder.rungs[1].library = true;
  ladder.rungs[1].problem = "it crashed";
  ladder.plots = {
      {"shapes", PlotKind::heat_map, "Shapes", "By shape.", "side", "depth", "TFLOP/s", {{"16", {{64, 1.5}}}}}};
  const nlohmann::json json = to_json(ladder);
  CHECK(json["plots"][0]["kind"] == "heat_map");
  CHECK(json["plots"][0]["curves"][0]["points"] == nlohmann::json::parse("[[64.0, 1.5]]"));
  CHECK(json["rungs"][0]["measured"]["gb_per_s"] == 200.0);
  CHECK(json["rungs"][0]["measured"]["copy_share"] == 0.5);
  CHECK(to_json(ladder_from_json(json)) == json);
  nlohmann::json pie = json;
  pie["plots"][0]["kind"] = "pie";
  CHECK_THROWS_WITH(ladder_from_json(pie), "'pie' is not a kind of plot");
}

TEST_CASE("a lab with only an inconclusive measurement is inconclusive, not failed") {
  Fixture f;
  for (const ListedTest& test : f.manifest.tests) {
    f.record(test.kind, test.sentence, test.kind == "time" ? "inconclusive" : "passed", test.points);
  }
  CHECK(f.merged()["status"] == "inconclusive");
}

TEST_CASE("results.json names its format and backend") {
  Fixture f;
  const auto results = all_results({f.manifest}, {f.merged()});
  CHECK(results["format"] == "warpbook.results");
  CHECK(results["version"] == 2);
  CHECK(results["backend"] == "virtual");
  CHECK(results["labs"].size() == 1);
}

TEST_CASE("a wrong answer must name its test and its cause") {
  const Fixture f;
  Manifest manifest = f.manifest;
  manifest.known["wrong:named"] = {"counters.is coalesced", {"32 sectors", "line"}, {}, {}};
  CHECK(manifest.known_answer("wrong:named").because == std::vector<std::string>{"32 sectors", "line"});
  manifest.known["wrong:named"].because.clear();
  CHECK_THROWS_AS(manifest.known_answer("wrong:named"), ManifestError);
  manifest.known["wrong:named"] = {"", {"32 sectors"}, {}, {}};
  CHECK_THROWS_AS(manifest.known_answer("wrong:named"), ManifestError);
  CHECK_THROWS_AS(manifest.known_answer("wrong:none"), ManifestError);
  manifest.known["exploit:free"] = {};
  CHECK_THROWS_AS(manifest.known_answer("exploit:free"), ManifestError);
}

TEST_CASE("a build folder without labs, and an answer without a program, are errors") {
  const Fixture f;
  CHECK_THROWS_AS(read_manifests(f.path()), ManifestError);
  CHECK_THROWS_AS(f.manifest.worker_of("wrong:none"), ManifestError);
  CHECK(f.manifest.source_of("wrong:none") == "grader/labs/basics/copy/wrong/none.cu");
}

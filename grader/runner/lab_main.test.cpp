// A lab's test program from outside: exit status, points, explanations, records, ladder, and the checks of the lab.
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "common/testing/catch.h"
#include "grader/judge/results.h"
#include "grader/runner/process.h"
#include "grader/runner/temporary_folder.h"

using namespace warpbook::grader;

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// A project folder with one lab whose answers are host programs.
class Fixture {
 public:
  Fixture() {
    write_file(root() + "/labs/basics/twice/lab.json", lab_json(7.5));
    const std::string doubled = "correctness.every number, large or small, is doubled";
    const Json answers = {
        {"wrong:triples", {{"rejected-by", {doubled}}, {"because", {"wrong_result topic=scaled subject=out"}}}},
        {"wrong:other_cause", {{"rejected-by", {doubled}}, {"because", {"wrong_result topic=transposed"}}}},
        {"wrong:mistyped", {{"rejected-by", {doubled}}, {"because", {"1.5 times what it should be"}}}},
        {"wrong:accepted", {{"rejected-by", {"counters.stores fill whole sectors"}}, {"because", {"too_much"}}}}};
    const std::string programs = WARPBOOK_FAKE_ANSWERS;
    Json manifest = {{"lab", "twice"},
                     {"chapter", "basics"},
                     {"project_root", root()},
                     {"build_folder", root() + "/build"},
                     {"backend", "virtual"},
                     {"device", "h200"},
                     {"device_process", WARPBOOK_FAKE_DEVICE},
                     {"front_folder", ""},
                     {"sanitized", bool(WARPBOOK_SANITIZED)},
                     {"test_program", WARPBOOK_FAKE_LAB},
                     {"results_folder", results()},
                     {"workers",
                      {{"labs/basics/twice/twice.cu", programs + "_wrong"},
                       {"slow.cu", programs + "_slow"},
                       {"solutions/basics/twice/twice.cu", programs + "_right"},
                       {"skeleton", programs + "_not_started"},
                       {"grader/labs/basics/twice/wrong/triples.cu", programs + "_wrong"},
                       {"grader/labs/basics/twice/wrong/other_cause.cu", programs + "_wrong"},
                       {"grader/labs/basics/twice/wrong/mistyped.cu", programs + "_wrong"},
                       {"grader/labs/basics/twice/wrong/accepted.cu", programs + "_right"}}},
                     {"answers", answers},
                     {"tests", Json::array()}};
    for (const auto& [kind, points, sentence] :
         {std::tuple{"correctness", 2.0, "every number, large or small, is doubled"},
          {"counters", 1.0, "stores fill whole sectors"},
          {"time", 4.0, "is as fast as the reference"},
          {"correctness", 0.5, "the first element is right"}}) {
      manifest["tests"].push_back({{"kind", kind}, {"points", points}, {"sentence", sentence}});
    }
    write_file(path(), manifest.dump());
  }

  const std::string& root() const { return folder_.path(); }
  std::string path() const { return root() + "/twice.json"; }
  std::string results() const { return root() + "/results"; }

  ProcessResult run(std::vector<std::string> arguments, const std::string& seed = "",
                    const std::string& named_run = "") const {
    ProcessRequest request;
    request.program = WARPBOOK_FAKE_LAB;
    request.arguments = {"--manifest", path()};
    request.arguments.insert(request.arguments.end(), arguments.begin(), arguments.end());
    request.folder = root();
    request.limits.memory_bytes = 0;
    request.environment["PATH"] = "/usr/bin:/bin";
    if (!seed.empty()) request.environment["WARPBOOK_SEED"] = seed;
    if (!named_run.empty()) request.environment["WARPBOOK_RUN"] = named_run;
    return run_process(request);
  }

  /// Changes the manifest or lab.json.
  template <class Change>
  void change(const std::string& file, Change&& apply) {
    std::ifstream in(file);
    Json json = Json::parse(in);
    apply(json);
    write_file(file, json.dump());
  }

  static std::string lab_json(double points) {
    return Json{{"title", "Twice"},
                {"order", 1},
                {"points", points},
                {"rungs",
                 {{{"rung", "naive"}, {"title", "slowly"}, {"source", "slow.cu"}},
                  {{"rung", "fast"}, {"title", "fast"}, {"source", "solutions/basics/twice/twice.cu"}}}}}
        .dump();
  }

 private:
  TemporaryFolder folder_;
};

bool prints(const ProcessResult& result, const std::string& text) {
  INFO(result.output << result.error);
  return (result.output + result.error).find(text) != std::string::npos;
}

}  // namespace

TEST_CASE("a right answer passes with all points") {
  const Fixture f;
  const ProcessResult result = f.run({"--answer", "solution"});
  CHECK(prints(result, "twice.time.is as fast as the reference: passed, 4 of 4 points"));
  CHECK(result.code == 0);
}

TEST_CASE("a wrong answer fails with the mistake, the case and the command that repeats it") {
  const Fixture f;
  const ProcessResult result = f.run({"--test", "correctness.every number, large or small, is doubled"}, "987654");
  CHECK(result.code == 1);
  CHECK(prints(result, "failed, 0 of 2 points"));
  CHECK(prints(result, "1.5 times what it should be"));
  CHECK(prints(result, "The case: in float["));
  CHECK(prints(result, "WARPBOOK_SEED=987654 ctest --test-dir build"));
  CHECK_FALSE(prints(result, "counters"));
}

TEST_CASE("the results of a case must be right in the documented order and in another one") {
  Fixture f;
  for (const std::string order : {"documented", "other"}) {
    f.change(f.path(), [&](Json& manifest) {
      manifest["workers"]["labs/basics/twice/twice.cu"] = WARPBOOK_FAKE_ANSWERS + ("_" + order) + "_order";
    });
    const ProcessResult result = f.run({"--test", "correctness.every number, large or small, is doubled"});
    CHECK(prints(result, "failed, 0 of 2 points"));
    CHECK(prints(result, "1.5 times what it should be"));
    CHECK(prints(result, "blocks, warps and streams in order ") == (order == "documented"));
  }
}

TEST_CASE("a test is not repeated because the device has more work left in another order") {
  Fixture f;
  f.change(f.path(), [&](Json& manifest) {
    manifest["workers"]["labs/basics/twice/twice.cu"] = WARPBOOK_FAKE_ANSWERS + std::string("_left_work");
  });
  const ProcessResult result = f.run({"--test", "correctness.every number, large or small, is doubled"});
  CHECK(prints(result, "passed, 2 of 2 points"));
}

TEST_CASE("with a GPU, correctness is tested on the virtual one and then on the GPU") {
  Fixture f;
  f.change(f.path(), [](Json& manifest) { manifest["backend"] = "gpu"; });
  const auto runs = [&](const std::string& answer) {
    f.change(f.path(), [&](Json& manifest) {
      manifest["workers"]["labs/basics/twice/twice.cu"] = WARPBOOK_FAKE_ANSWERS + ("_" + answer);
    });
    return f.run({"--test", "correctness.every number, large or small, is doubled"});
  };
  CHECK(prints(runs("right"), "passed, 2 of 2 points"));
  const ProcessResult by_luck = runs("documented_order"), on_hardware = runs("wrong_on_hardware");
  CHECK(prints(by_luck, "blocks, warps and streams in order "));
  CHECK(prints(by_luck, "So it is on the virtual GPU, where correctness is tested first."));
  CHECK(prints(on_hardware, "1.5 times what it should be"));
  CHECK(prints(on_hardware, "So it is on your GPU. On the virtual GPU, this test passed."));
}

TEST_CASE("a record names its run, or a run of its own if none is named") {
  const Fixture f;
  const auto run_of_record = [&](const std::vector<std::string>& more, const std::string& named = "") {
    std::vector<std::string> arguments = {"--test", "correctness.the first element is right"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    f.run(arguments, "", named);
    for (const auto& entry : fs::directory_iterator(f.results() + "/student")) {
      std::ifstream in(entry.path());
      return Json::parse(in).at("run").get<std::string>();
    }
    return std::string();
  };
  const std::string file = f.root() + "/ctest_run";
  const std::string one = run_of_record({"--run-file", file}), other = run_of_record({});
  CHECK(one.starts_with("by hand "));
  CHECK(other.starts_with("by hand "));
  CHECK(one != other);
  write_file(file, "the run of ctest\n");
  CHECK(run_of_record({"--run-file", file}) == "the run of ctest");
  CHECK(run_of_record({"--run-file", file}, "the run of check") == "the run of check");
}

TEST_CASE("in a test of counters, a wrong result is explained briefly") {
  const Fixture f;
  const ProcessResult result = f.run({"--test", "counters.stores fill whole sectors"});
  CHECK(result.code == 1);
  CHECK(prints(result, "'out' is wrong in 64 of 64 elements"));
  CHECK(prints(result, "out[0]: found"));
  CHECK_FALSE(prints(result, "out[1]: found"));
  CHECK_FALSE(prints(result, "1.5 times what it should be"));
  CHECK(prints(result, "the tests of correctness say more"));
}

TEST_CASE("the same seed gives the same data, another seed other data") {
  const Fixture f;
  const std::vector<std::string> test = {"--test", "correctness.every number, large or small, is doubled"};
  const std::string first = f.run(test, "11").output;
  CHECK(first == f.run(test, "11").output);
  CHECK(first != f.run(test, "12").output);
}

TEST_CASE("a slow answer earns part of the points for time, and none for sectors") {
  const Fixture f;
  const ProcessResult result = f.run({"--answer", "slow.cu"});
  CHECK(result.code == 1);
  CHECK(prints(result, "twice.time.is as fast as the reference: failed, 2 of 4 points"));
  CHECK(prints(result, "twice.counters.stores fill whole sectors: failed, 0 of 1 points"));
  CHECK(prints(result, "twice.correctness.the first element is right: passed, 0.5 of 0.5 points"));
}

TEST_CASE("a skeleton is skipped, with the line of not_started()") {
  const Fixture f;
  const ProcessResult result = f.run({"--answer", "skeleton"});
  CHECK(result.code == 77);
  CHECK(prints(result, "labs/basics/twice/twice.cu:9"));
}

TEST_CASE("plain Catch2 assertions are reported with their values") {
  const Fixture f;
  const ProcessResult result = f.run({"--test", "correctness.the first element is right"});
  CHECK(result.code == 1);
  CHECK(prints(result, "the input is 4"));
  CHECK(prints(result, "12.0f == 8"));
}

TEST_CASE("every run writes records that add up") {
  const Fixture f;
  f.run({"--answer", "slow.cu"});
  const auto records = read_records(read_manifest(f.path()), "slow.cu");
  REQUIRE(records.size() == 4);
  CHECK(records[0].status == "passed");
  CHECK(records[1].status == "failed");
  CHECK(records[2].points == 2);
  CHECK_FALSE(records[2].program_hash.empty());
  std::ifstream in(f.results() + "/slow.cu.json");
  const Json verdict = Json::parse(in);
  CHECK(verdict["status"] == "failed");
  CHECK(verdict["points"] == records[0].points + records[1].points + records[2].points + records[3].points);
  CHECK(verdict["max_points"] == 7.5);
  CHECK(verdict["run"] == records[0].run);
}

TEST_CASE("the ladder runs every rung and the answer, and keeps their profiles") {
  const Fixture f;
  const std::string folder = f.root() + "/ladder";
  fs::create_directories(folder);
  const ProcessResult result = f.run({"--answer", "student", "--ladder", folder, "--plots"});
  REQUIRE(result.code == 0);
  std::ifstream in(folder + "/ladder.json");
  const Json ladder = Json::parse(in);
  REQUIRE(ladder["rungs"].size() == 2);
  CHECK(ladder["rungs"][0]["time_us"] == 15);
  CHECK(ladder["rungs"][1]["time_us"] == 10);
  CHECK(ladder["rungs"][0]["kernel"] == 0);
  CHECK(fs::exists(ladder["answer"]["profile"].get<std::string>()));
  // Drawn are points that are numbers, curves with points, plots with curves.
  REQUIRE(ladder["plots"].size() == 1);
  CHECK(ladder["plots"][0]["name"] == "sizes");
  REQUIRE(ladder["plots"][0]["curves"].size() == 1);
  CHECK(ladder["plots"][0]["curves"][0]["points"] == Json::parse("[[1.0, 3.0], [2.0, 3.0]]"));
}

TEST_CASE("plots are made only for functions that were started, and only on request") {
  const Fixture f;
  const std::string folder = f.root() + "/ladder";
  fs::create_directories(folder);
  for (const std::vector<std::string>& line :
       {std::vector<std::string>{"--answer", "skeleton", "--ladder", folder, "--plots"},
        {"--answer", "student", "--ladder", folder}}) {
    REQUIRE(f.run(line).code == 0);
    std::ifstream in(folder + "/ladder.json");
    CHECK(Json::parse(in)["plots"].empty());
  }
}

TEST_CASE("a submitted program is graded by all tests, confined, and its results are one file") {
  const Fixture f;
  const std::string records = f.root() + "/records", confine = f.root() + "/confine.json";
  write_file(f.root() + "/twice.cu", "// Submitted.\n");
  Json confinement = {
      {"format", "warpbook.confinement"},
      {"version", 1},
      {"command", {"/usr/bin/env"}},
      {"program", std::string(WARPBOOK_FAKE_ANSWERS) + "_slow"},
      {"folder", "/tmp"},
      {"limits",
       {{"wall_s", 10}, {"cpu_s", 10}, {"busy_s", 5}, {"memory_bytes", 0}, {"resident_bytes", 0}, {"processes", 8}}}};
  // The program outside would not start: the one inside is run.
  const std::vector<std::string> line = {"--program", "/nonexistent", "--source",  f.root() + "/twice.cu",
                                         "--root",    "/warpbook",    "--records", records,
                                         "--confine", confine};
  write_file(confine, confinement.dump());
  const ProcessResult result = f.run(line, "5");
  INFO(result.error << result.output);
  REQUIRE(result.code == 0);
  std::ifstream in(records + "/results.json");
  const Json results = Json::parse(in);
  CHECK(results["status"] == "failed");
  CHECK(results["points"] == 4.5);
  CHECK(results["time_us"] == 15);
  CHECK(fs::exists(results["profile"].get<std::string>()));
  REQUIRE(results["tests"].size() == 4);
  CHECK(results["tests"][1]["message"].get<std::string>().find("ctest --test-dir build/sim") != std::string::npos);
  CHECK_FALSE(fs::exists(f.results()));

  CHECK(f.run({"--program", "/nonexistent"}).code == 2);
  CHECK(prints(f.run({"--program", "/nonexistent"}), "--program needs --source"));
  confinement["version"] = 3;
  write_file(confine, confinement.dump());
  CHECK(f.run(line).code == 2);
}

TEST_CASE("the checks of a lab accept what they should and reject what they should") {
  const Fixture f;
  CHECK(f.run({"--expect", "listed"}).code == 0);
  CHECK(f.run({"--answer", "solution", "--expect", "full points"}).code == 0);
  CHECK(f.run({"--answer", "slow.cu", "--expect", "full points"}).code == 1);
  CHECK(f.run({"--answer", "skeleton", "--expect", "full points"}).code == 1);
  CHECK(f.run({"--answer", "skeleton", "--expect", "not started"}).code == 0);
  CHECK(f.run({"--answer", "solution", "--expect", "not started"}).code == 1);
  CHECK(f.run({"--answer", "wrong:triples", "--expect", "rejected"}).code == 0);
  const ProcessResult other_cause = f.run({"--answer", "wrong:other_cause", "--expect", "rejected"});
  CHECK(prints(other_cause, "not with 'because: wrong_result topic=transposed'"));
  CHECK(prints(other_cause, "The verdict has:\nwrong_result topic=scaled subject=out"));
  const ProcessResult mistyped = f.run({"--answer", "wrong:mistyped", "--expect", "rejected"});
  CHECK(prints(mistyped, "there is no kind of finding '1.5'; there are: wrong_result"));
  CHECK(mistyped.code == 1);
  CHECK(f.run({"--answer", "wrong:other_cause", "--expect", "rejected"}).code == 1);
  CHECK(f.run({"--answer", "wrong:accepted", "--expect", "rejected"}).code == 1);
  CHECK(f.run({"--answer", "wrong:triples", "--expect", "right results"}).code == 1);
  CHECK(f.run({"--answer", "solution", "--expect", "right results"}).code == 0);
  CHECK_FALSE(fs::exists(f.results()));
}

TEST_CASE("tests that differ from CMake's list, and points that do not add up, are found") {
  Fixture f;
  f.change(f.path(), [](Json& json) { json["tests"][0]["points"] = 3; });
  CHECK(prints(f.run({"--expect", "listed"}), "The tests that CMake read"));
  Fixture g;
  write_file(g.root() + "/labs/basics/twice/lab.json", Fixture::lab_json(8));
  CHECK(prints(g.run({"--expect", "listed"}), "lab.json says 8 points, but the tests add up to 7.5"));
}

TEST_CASE("mistakes on the command line are named") {
  const Fixture f;
  CHECK(prints(f.run({"--test", "correctness.no such"}), "there are:"));
  CHECK(prints(f.run({"--no-such-option", "x"}), "--no-such-option"));
  CHECK(prints(f.run({"--seed", "abc"}), "whole number"));
  CHECK(prints(f.run({"--seed", "-1"}), "whole number"));
  CHECK(prints(f.run({"--expect", "x"}), "honest points"));
  CHECK(prints(f.run({"--answer"}), "--answer"));
  CHECK(prints(f.run({"--answer", "wrong:none"}), "has no program"));
  for (const auto& arguments : {std::vector<std::string>{"--test", "correctness.no such"},
                                {"--seed", "abc"},
                                {"--expect", "x"},
                                {"--answer"}}) {
    CHECK(f.run(arguments).code == 2);
  }
  CHECK(f.run({}, "abc").code == 2);  // The seed in the environment.
  const ProcessResult help = f.run({"--help"});
  CHECK(help.code == 0);
  CHECK_THAT(help.output, Catch::Contains("--confine"));
}

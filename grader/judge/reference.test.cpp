// Recorded figures of a reference: which of them a seed uses, and files that cannot be used.
#include "grader/judge/reference.h"

#include <nlohmann/json.hpp>

#include "common/testing/catch.h"
#include "grader/judge/results.h"
#include "grader/runner/temporary_folder.h"

using namespace warpbook::grader;

namespace {

using Json = nlohmann::json;

Json recorded() {
  return {{"format", "warpbook.reference"},
          {"version", 1},
          {"lab", "twice"},
          {"draws", {11, 12, 13}},
          {"times", {{"time.it is fast", {{1.5}, {2.5}, {3.5}}}}},
          {"most", {{"cpu_s", 0.25}, {"warp_instructions", 4096}}},
          {"needs_little_memory", true},
          {"rungs", Json::array()}};
}

/// The error for a file with these contents.
std::string problem_with(const Json& contents) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/reference.json";
  write_file(path, contents.dump());
  try {
    read_reference(path);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

bool holds(const std::string& text, const std::string& part) {
  INFO(text);
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("every seed leads to one of the recorded draws, the same in every run") {
  const TemporaryFolder folder;
  write_file(folder.path() + "/reference.json", recorded().dump());
  const RecordedReference reference = read_reference(folder.path() + "/reference.json");
  CHECK(reference.draw_of("time.it is fast", 7) == 1u);
  CHECK(reference.draw_of("time.it is fast", 9) == 0u);
  CHECK_FALSE(reference.draw_of("correctness.it is right", 7));
  CHECK(reference.times.at("time.it is fast")[1] == std::vector<double>{2.5});
  CHECK(reference.most.steps == 4096);
  CHECK(reference.needs_little_memory);
}

TEST_CASE("figures that cannot be used are refused, with the file, the value and what to do") {
  CHECK(holds(problem_with({{"format", "warpbook.reference"}, {"version", 2}}), "2, not warpbook.reference 1"));
  Json one_draw_less = recorded();
  one_draw_less["draws"] = {11, 12};
  CHECK(holds(problem_with(one_draw_less), "time.it is fast has times of 3 draws, not of 2"));
  Json without_times = recorded();
  without_times.erase("times");
  CHECK(holds(problem_with(without_times), "reference.json"));
  CHECK(holds(problem_with(without_times), "unpack"));
  CHECK(problem_with(recorded()).empty());
}

TEST_CASE("a run keeps the most that any case needed") {
  ReferenceRun run;
  run.times["time.it is fast"] = {2.5};
  run.add({0.5, 10});
  run.add({0.25, 30});
  const Json text = Json::parse(run.text());
  CHECK(text.at("most").at("cpu_s") == 0.5);
  CHECK(text.at("most").at("warp_instructions") == 30);
  CHECK(text.at("times").at("time.it is fast") == Json({2.5}));
}

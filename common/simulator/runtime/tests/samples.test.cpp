// Sample programs print their recorded answers: the same binaries print them on an H200.
#include <fstream>
#include <sstream>

#include "common/simulator/runtime/tests/program.h"
#include "common/testing/catch.h"

using namespace warpbook::simulator::runtime;

namespace {

std::vector<std::string> sample_names() {
  std::istringstream list(WARPBOOK_SAMPLES);
  std::vector<std::string> names;
  for (std::string name; list >> name;) names.push_back(name);
  return names;
}

/// The recorded outputs by the name of the program: a line "== NAME" before each.
std::map<std::string, std::string> recorded_answers() {
  std::ifstream file(WARPBOOK_TEST_SOURCES "/samples/answers.txt");
  std::map<std::string, std::string> answers;
  std::string name;
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("== ", 0) == 0)
      answers[name = line.substr(3)];
    else
      answers[name] += line + "\n";
  }
  return answers;
}

}  // namespace

TEST_CASE("sample programs print their recorded answers") {
  const auto answers = recorded_answers();
  const std::vector<std::string> names = sample_names();
  REQUIRE(names.size() > 40);
  for (const std::string& name : names) {
    const Outcome outcome = run_program("samples/" + name);
    INFO(name << " said:\n" << outcome.output << outcome.errors);
    CHECK(outcome.exit_code == 0);
    REQUIRE(answers.count(name) == 1);
    CHECK(outcome.output == answers.at(name));
  }
}

TEST_CASE("sample programs are free of findings, in another schedule too") {
  for (const char* name : {"samples/reductions", "samples/prefix_sum", "samples/radix_sort", "samples/merge_sort",
                           "samples/sorting_networks", "samples/transpose", "samples/cub_block",
                           "samples/linear_algebra", "samples/libcu_synchronisation", "samples/fourier_transforms"}) {
    const Outcome outcome =
        run_program(name, {}, {{"WARPBOOK_CHECK", "memory,init,race,sync,leak"}, {"WARPBOOK_SCHEDULE_SEED", "3"}});
    INFO(name << " said:\n" << outcome.output << outcome.errors);
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.output.find("passed\n") != std::string::npos);
    CHECK(outcome.errors.find("no findings") != std::string::npos);
  }
}

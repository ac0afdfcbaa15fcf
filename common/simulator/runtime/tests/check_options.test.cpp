// The checkers' environment variables: which checks, what not to report, the exit code, where reports go.
#include <fstream>

#include "common/simulator/runtime/tests/checked_run.h"
#include "common/testing/catch.h"

using namespace warpbook::simulator::runtime;
using nlohmann::json;

TEST_CASE("without checks nothing is reported and nothing changes") {
  const Outcome outcome = run_program("checks", {"leaks"});
  CHECK(outcome.errors.empty());
  CHECK(outcome.exit_code == 0);
}

TEST_CASE("the report names its format and the checks that ran") {
  const CheckedRun run = run_checked("checks", {"copy_clean"}, "race,memory,leak");
  REQUIRE(run.report.is_object());
  CHECK(run.report["format"] == "warpbook check report");
  CHECK(run.report["version"] == 1);
  CHECK(run.report["checks"] == json({"memory", "race", "leak"}));
  CHECK(run.report["suppressed"] == 0);
  CHECK(run.report["left_out"] == 0);
}

TEST_CASE("a program with errors ends with the requested exit code and complete output") {
  const std::map<std::string, std::string> code{{"WARPBOOK_CHECK_EXITCODE", "99"}};
  const CheckedRun faulty = run_checked("checks", {"double_free"}, "memory", code);
  CHECK(faulty.outcome.exit_code == (is_apart() ? 0 : 99));
  CHECK(faulty.outcome.output == "free 0\nfree 1\n");
  CHECK(run_checked("checks", {"copy_clean"}, "memory", code).outcome.exit_code == 0);
  CHECK(run_checked("checks", {"double_free"}, "memory").outcome.exit_code == 0);
}

TEST_CASE("suppressed findings are counted, and do not change the exit code") {
  for (const char* rule :
       {"check=memory", "kernel=*store*", "kernel=nothing;checks.cu:*;check=memory,kernel=*::store"}) {
    const bool is_rule = std::string(rule).find(":*") == std::string::npos;
    const CheckedRun run = run_checked("checks", {"store"}, "memory",
                                       {{"WARPBOOK_CHECK_SUPPRESS", rule}, {"WARPBOOK_CHECK_EXITCODE", "99"}});
    INFO(rule << "\n" << run.outcome.errors);
    if (!is_rule) {
      CHECK(run.says("WARPBOOK_CHECK_SUPPRESS: the suppression 'checks.cu:*' has the part 'checks.cu:*'"));
      continue;
    }
    REQUIRE(run.report.is_object());
    CHECK(run.report["suppressed"] == 1);
    CHECK(run.report["findings"].empty());
    CHECK(run.outcome.exit_code == 3);
    CHECK(run.says("warpbook: no findings, 1 suppressed\n"));
  }
  const CheckedRun other = run_checked("checks", {"store"}, "memory", {{"WARPBOOK_CHECK_SUPPRESS", "check=leak"}});
  CHECK(other.report["suppressed"] == 0);
  CHECK(other.report["findings"].size() == 1);
}

TEST_CASE("invalid settings are reported with the valid forms") {
  CHECK(run_checked("checks", {"store"}, "memory,speed").says("WARPBOOK_CHECK: there is no check 'speed'"));
  CHECK(run_checked("checks", {"store"}, "memory", {{"WARPBOOK_CHECK_EXITCODE", "256"}})
            .says("WARPBOOK_CHECK_EXITCODE=256 is not an exit code: 1 to 255"));
}

TEST_CASE("a report that cannot be written is an error on stderr, and the findings are there") {
  const Outcome outcome = run_program(
      "checks", {"double_free"}, {{"WARPBOOK_CHECK", "memory"}, {"WARPBOOK_CHECK_REPORT", "/no/such/folder/report"}});
  CHECK(outcome.errors.find("check report: cannot write /no/such/folder/report") != std::string::npos);
  CHECK(outcome.errors.find("warpbook: 1 finding (1 memory)") != std::string::npos);
}

TEST_CASE("the profile has the findings, too, if checks ran") {
  const CheckedRun run = run_checked("checks", {"double_free"}, "memory,leak", {{"WARPBOOK_PROFILE", "fd:1"}});
  const auto begin = run.outcome.output.find("{\"");
  REQUIRE(begin != std::string::npos);
  const json profile = json::parse(run.outcome.output.substr(begin));
  CHECK(profile["checks"] == json({"memory", "leak"}));
  CHECK(profile["findings"] == run.report["findings"]);
  CHECK(profile["findings"].size() == 1);

  const Outcome plain = run_program("checks", {"copy_clean"}, {{"WARPBOOK_PROFILE", "fd:1"}});
  CHECK(plain.output.find("\"format\":\"warpbook.profile\"") != std::string::npos);
  CHECK(plain.output.find("\"findings\"") == std::string::npos);
}

// Races of host code, and memory that it has not initialised: findings with lines, and none in correct twins.
#include "common/simulator/runtime/tests/checked_run.h"
#include "common/testing/catch.h"

using namespace warpbook::simulator::runtime;
using nlohmann::json;

namespace {

CheckedRun run(const std::string& name) { return run_checked("host_races", {name}, "race,init"); }

void leaves_no_race(const std::string& name, const std::string& output) {
  const CheckedRun checked = run(name);
  INFO(name << "\n" << checked.outcome.errors);
  CHECK(checked.outcome.output == output);
  REQUIRE(checked.report.is_object());
  CHECK(checked.report["findings"].empty());
}

std::string text(const json& finding, const std::string& key) {
  return finding.is_object() && finding.contains(key) ? finding[key].get<std::string>() : "";
}

/// The only finding: a race of this kind with the kernel's access on the line with the text @p line.
json race_of(const std::string& name, const std::string& kind, const std::string& line) {
  const CheckedRun checked = run(name);
  INFO(name << "\n" << checked.outcome.errors);
  const json finding = checked.only();
  REQUIRE(finding.is_object());
  CHECK(finding["check"] == "race");
  CHECK(finding["kind"] == kind);
  CHECK(finding["sites"].size() == 2);
  CHECK(place_of(finding["sites"][0]) == place_of_text("host_races.cu", line));
  return finding;
}

}  // namespace

TEST_CASE("host code that reads managed memory before it has waited for the kernel races with it") {
  const json finding = race_of("read", "read_after_write", "// stores");
  CHECK(text(finding, "message").find("host code reads memory that store(int *, int) writes") == 0);
  CHECK(text(finding, "missing") == "the host has not waited for the kernel");
  if (!is_apart()) CHECK(place_of(finding["sites"][1]) == place_of_text("host_races.cu", "// looks"));
  leaves_no_race("read in time", "got 1500\n");
  leaves_no_race("event", "got 3\n");
}

TEST_CASE("host code that writes what a kernel still reads races with it") {
  const json finding = race_of("write", "write_after_read", "// adds");
  CHECK(text(finding, "message").find("host code writes memory that add(const int *, int *, int) reads") == 0);
  if (!is_apart()) CHECK(place_of(finding["sites"][1]) == place_of_text("host_races.cu", "// writes early"));
}

TEST_CASE("the host may use the part of a page that the device does not use") {
  leaves_no_race("beside managed", "got 0\n");
  leaves_no_race("beside pinned", "got 0\n");
}

TEST_CASE("a counter with device scope is not ready before the host has waited") {
  CHECK(text(race_of("counter", "read_after_write", "// counts"), "message").find("changes atomically") !=
        std::string::npos);
}

TEST_CASE("polling a flag with system scope counts as waiting") {
  leaves_no_race("told", "got 41\n");
  leaves_no_race("told by a fence", "got 41\n");
}

TEST_CASE("the result of an asynchronous copy is not there before the host has waited") {
  const json finding = run("copy").only();
  REQUIRE(finding.is_object());
  CHECK(text(finding, "message").find("host code reads memory that cudaMemcpyAsync writes") == 0);
  CHECK(text(finding, "missing") == "the host has not waited for the call's work");
}

TEST_CASE("a system call that reads what a kernel still writes races with it") {
  race_of("written by the system", "read_after_write", "// stores");
}

TEST_CASE("waiting for one stream is not waiting for another") {
  leaves_no_race("one of two streams", "got 7\n");
  race_of("the other stream", "read_after_write", "// stores");
}

TEST_CASE("shared memory that the host has not written is uninitialised") {
  leaves_no_race("all written", "got 0\n");
  for (const char* name : {"half written", "copied half written"}) {
    const CheckedRun checked = run(name);
    INFO(name << "\n" << checked.outcome.errors);
    const json finding = checked.only();
    REQUIRE(finding.is_object());
    CHECK(finding["check"] == "init");
    CHECK(finding["count"] == 1024);
    CHECK(place_of(site_of(finding, "store")) == place_of_text("host_races.cu", "// adds"));
    CHECK(text(finding, "message").find("byte 4096 of an allocation of 8192 bytes") != std::string::npos);
  }
}

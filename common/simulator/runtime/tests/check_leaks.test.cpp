// The check "leak": what is still allocated at the end, by the call that made it.
#include <map>

#include "common/simulator/runtime/tests/checked_run.h"
#include "common/testing/catch.h"

using namespace warpbook::simulator::runtime;
using nlohmann::json;

namespace {

/// The findings by their kind and call.
std::map<std::string, json> by_call(const CheckedRun& run) {
  std::map<std::string, json> found;
  if (!run.report.is_object()) return found;
  for (const json& finding : run.report["findings"]) {
    CHECK(finding["check"] == "leak");
    found[finding["kind"].get<std::string>() + " " + finding["sites"][0]["instruction"].get<std::string>()] = finding;
  }
  return found;
}

}  // namespace

TEST_CASE("all that is alive at the end leaks: one finding for each call of the program") {
  if (is_apart()) return;
  const CheckedRun run = run_checked("checks", {"leaks"}, "leak");
  INFO(run.outcome.errors);
  const auto found = by_call(run);
  REQUIRE(found.size() == 9);
  const json& three = found.at("device_memory cudaMalloc");
  CHECK(three["count"] == 3);
  CHECK(three["message"] ==
        "3 allocations of cudaMalloc, 3000 bytes in all, are never freed; the first is of the 1st cudaMalloc");
  CHECK(place_of(three["sites"][0]) == place_of_text("checks.cu", "// leaks three times"));
  CHECK(three["allocation"] == "the 1st cudaMalloc (1000 bytes)");
  CHECK(found.at("device_memory cudaMallocPitch")["count"] == 1);
  CHECK(found.at("managed_memory cudaMallocManaged")["message"] ==
        "2000 bytes of the 1st cudaMallocManaged are never freed");
  CHECK(found.at("device_memory cudaMallocAsync")["space"] == "global");
  CHECK(found.at("pinned_memory cudaMallocHost")["advice"].get<std::string>().find("cudaFreeHost") !=
        std::string::npos);
  CHECK(found.at("registered_memory cudaHostRegister")["advice"].get<std::string>().find("cudaHostUnregister") !=
        std::string::npos);
  CHECK(found.at("stream cudaStreamCreate")["message"] == "the stream of the 1st cudaStreamCreate is never destroyed");
  CHECK(place_of(found.at("event cudaEventCreate")["sites"][0]) ==
        place_of_text("checks.cu", "cudaEventCreate(&event);"));
  CHECK(found.count("pool cudaMemPoolCreate") == 1);
  CHECK(run.says("warpbook: 9 findings (9 leak)\n"));
}

TEST_CASE("a call in a template of the program has its own line, not its caller's") {
  if (is_apart()) return;
  const CheckedRun run = run_checked("checks", {"leak_in_a_template"}, "leak");
  INFO(run.outcome.errors);
  const auto found = by_call(run);
  CHECK(place_of(found.at("device_memory cudaMalloc")["sites"][0]) ==
        place_of_text("checks.cu", "// leaks in a template"));
}

TEST_CASE("without debug information leaks are distinguished by their call and its number") {
  const CheckedRun run = run_checked("checks_without_lines", {"leaks"}, "leak");
  INFO(run.outcome.errors);
  const auto found = by_call(run);
  for (const auto& [name, finding] : found) CHECK(place_of(finding["sites"][0]).empty());
  if (is_apart()) {
    CHECK(found.count("device_memory the 3rd cudaMalloc") == 1);
    CHECK(found.count("stream the 1st cudaStreamCreate") == 1);
  } else {
    REQUIRE(found.count("device_memory cudaMalloc") == 1);
    CHECK(found.at("device_memory cudaMalloc")["count"] == 3);
  }
}

TEST_CASE("cudaDeviceReset releases everything") {
  const CheckedRun run = run_checked("checks", {"leaks", "reset"}, "leak");
  INFO(run.outcome.errors);
  REQUIRE(run.report.is_object());
  CHECK(run.report["findings"].empty());
  CHECK(run.says("warpbook: no findings\n"));
}

TEST_CASE("exit() in the middle of the program ends it like any other end") {
  const CheckedRun run = run_checked("checks", {"leaks", "exit"}, "leak");
  CHECK(run.outcome.exit_code == 4);
  REQUIRE(run.report.is_object());
  CHECK(run.report["findings"].size() >= 9);
}

TEST_CASE("memory from malloc in a kernel that is never freed leaks") {
  const CheckedRun run = run_checked("checks", {"heap_leak"}, "leak");
  const json finding = run.only();
  REQUIRE(finding.is_object());
  CHECK(finding["kind"] == "device_heap");
  const std::string message = finding["message"];
  CHECK(message.find("40 bytes that ") == 0);
  CHECK(message.find("allocate_piece(int) got from malloc, in 1 piece") != std::string::npos);
}

TEST_CASE("graphs and executable graphs that are alive at the end leak") {
  const CheckedRun run = run_checked("graph_checks", {"leak"}, "leak");
  INFO(run.outcome.errors);
  CHECK(run.of("graph").size() == 1);
  CHECK(run.of("executable graph").size() == 1);
  CHECK(run_checked("graph_checks", {}, "leak").says("warpbook: no findings"));
}

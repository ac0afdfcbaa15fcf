// NVTX ranges in profiles, and profiles limited by ranges, kernels, launches and cudaProfilerStart.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "common/simulator/runtime/tests/program.h"
#include "common/testing/catch.h"

using namespace warpbook::simulator::runtime;
using nlohmann::json;

namespace {

/// The program's libcudart, which is the NVTX tool: if the device is in another process, it is the one that sends calls
/// there.
std::string tool() {
  const bool apart = std::getenv("WARPBOOK_RUN_APART") != nullptr;
  return std::string(WARPBOOK_LIBRARY_FOLDER) + (apart ? "/front" : "") + "/libcudart.so.13";
}

json annotated_profile(std::map<std::string, std::string> environment = {}) {
  char folder[] = "/tmp/warpbook_annotations_XXXXXX";
  REQUIRE(::mkdtemp(folder) != nullptr);
  const std::string path = std::string(folder) + "/profile.json";
  environment["WARPBOOK_PROFILE"] = path;
  environment["NVTX_INJECTION64_PATH"] = tool();
  const Outcome outcome = run_program("annotated", {}, environment);
  INFO(outcome.output << outcome.errors);
  CHECK(outcome.exit_code == 0);
  std::ifstream file(path);
  json profile = json::parse(file);
  std::filesystem::remove_all(folder);
  return profile;
}

/// "1 2 finish": the kernels of a profile, work<1> as 1.
std::string kernels_of(const json& profile) {
  std::string names;
  for (const json& kernel : profile["kernels"]) {
    const std::string name = kernel["name"];
    const std::size_t number = name.find("work<");
    names += (names.empty() ? "" : " ") + (number == std::string::npos ? "finish" : name.substr(number + 5, 1));
  }
  return names;
}

std::string kernels_with(const char* variable, const char* value) {
  return kernels_of(annotated_profile({{variable, value}}));
}

}  // namespace

TEST_CASE("ranges, marks and names of NVTX are in the profile, and each launch has the ranges around it") {
  const json profile = annotated_profile();
  REQUIRE(profile.contains("nvtx"));
  const json& ranges = profile["nvtx"]["ranges"];
  std::string texts;
  for (const json& range : ranges) texts += range["text"].get<std::string>() + "|";
  CHECK(texts == "outer|inn\u00e9r \u2202|registered|a|b|thread|capture|graph|");
  const json& registered = ranges[2];
  CHECK(registered["domain"] == "library");
  CHECK(registered["category"] == 7);
  CHECK(registered["color"] == 0xff00ff00u);
  CHECK(registered["payload"] == -5);
  CHECK(registered["depth"] == 0);
  CHECK(ranges[1]["depth"] == 1);
  CHECK(ranges[3]["kind"] == "start_end");
  CHECK(ranges[5]["thread"] == 1);
  CHECK(ranges[0]["end_us"] > ranges[0]["start_us"]);
  CHECK(ranges[7]["end_us"].is_null());
  CHECK(profile["nvtx"]["marks"][0]["text"] == "a mark");
  CHECK(profile["nvtx"]["streams"] == json::array({{{"name", "side"}, {"stream", profile["kernels"][2]["stream"]}}}));
  CHECK(profile["nvtx"]["categories"][0]["name"] == "seven");
  const char* const around[] = {"[0]", "[0,1]", "[0,1,2]", "[3,4]", "[5,4]", "null", "[7]", "[7]"};
  REQUIRE(profile["kernels"].size() == 8);
  for (std::size_t i = 0; i < 8; ++i) CHECK(profile["kernels"][i].value("nvtx_ranges", json()).dump() == around[i]);
}

TEST_CASE("a profile is limited to ranges of NVTX") {
  CHECK(kernels_with("WARPBOOK_PROFILE_NVTX", "outer/") == "1 2 3");
  CHECK(kernels_with("WARPBOOK_PROFILE_NVTX", "outer/*]") == "2 3");
  CHECK(kernels_with("WARPBOOK_PROFILE_NVTX", "library@registered/\nb") == "3 4 5");
  CHECK(kernels_with("WARPBOOK_PROFILE_NVTX", "a,b") == "4");
  CHECK(kernels_with("WARPBOOK_PROFILE_NVTX", "capture/") == "");
  CHECK(kernels_with("WARPBOOK_PROFILE_NVTX", "graph/") == "finish 7");
}

TEST_CASE("a profile is limited to kernels by name, to some launches, and to what cudaProfilerStart and Stop enclose") {
  CHECK(kernels_of(annotated_profile()) == "1 2 3 4 5 6 finish 7");
  CHECK(kernels_with("WARPBOOK_PROFILE_KERNEL", "finish") == "finish");
  CHECK(kernels_with("WARPBOOK_PROFILE_KERNEL", "regex:^w") == "1 2 3 4 5 6 7");
  CHECK(kernels_with("WARPBOOK_PROFILE_FROM_START", "off") == "6 finish");
  CHECK(kernels_of(annotated_profile({{"WARPBOOK_PROFILE_KERNEL", "work"},
                                      {"WARPBOOK_PROFILE_LAUNCH_SKIP", "4"},
                                      {"WARPBOOK_PROFILE_LAUNCH_COUNT", "2"}})) == "5 6");
  // Deferred work is also selected in the order of the calls.
  CHECK(kernels_of(annotated_profile({{"WARPBOOK_PROFILE_FROM_START", "off"}, {"WARPBOOK_SCHEDULE_SEED", "4"}})) ==
        "6 finish");
}

TEST_CASE("a program with annotations runs without a tool") {
  const Outcome outcome = run_program("annotated", {"alone"});
  INFO(outcome.output << outcome.errors);
  CHECK(outcome.exit_code == 0);
}

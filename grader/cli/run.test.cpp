// `warpbook run` from outside: any program, its arguments and exit status, the profile, and clear errors.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "common/testing/catch.h"
#include "grader/cli/commands.h"
#include "grader/cli/tests/command.h"
#include "grader/runner/process.h"
#include "grader/runner/temporary_folder.h"

using namespace warpbook::grader;

namespace {

const std::string kHello = WARPBOOK_HELLO;  // Beside it: hello_static.

std::string read(const std::string& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("a program runs with its own arguments and exit status") {
  const ProcessResult result = command({"run", "--", kHello, "--profile", "5"});
  CHECK(says(result, "counted 256"));
  CHECK(says(result, "argument --profile"));
  CHECK(result.code == 5);
}

TEST_CASE("a profile is written where it is asked for, the same for any number of threads") {
  const TemporaryFolder folder;
  for (const char* threads : {"1", "3"}) {
    const ProcessResult result = command(
        {"run", "--profile", std::string(threads) + ".json", "--threads", threads, "--", kHello}, folder.path());
    CHECK(says(result, "counted 256"));
    CHECK(result.code == 0);
  }
  const std::string profile = read(folder.path() + "/1.json");
  REQUIRE_FALSE(profile.empty());
  CHECK(profile == read(folder.path() + "/3.json"));
  const auto json = nlohmann::json::parse(profile);
  CHECK(json["format"] == "warpbook.profile");
  REQUIRE(json["kernels"].size() == 1);
  CHECK(json["kernels"][0]["grid"] == nlohmann::json({4, 1, 1}));
}

TEST_CASE("a profile is limited to what is asked for") {
  const TemporaryFolder folder;
  const auto kernels = [&](std::vector<std::string> options) {
    std::vector<std::string> arguments{"run", "--profile", "p.json"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    arguments.insert(arguments.end(), {"--", kHello});
    const ProcessResult result = command(std::move(arguments), folder.path());
    INFO(result.error);
    REQUIRE(result.code == 0);
    return nlohmann::json::parse(read(folder.path() + "/p.json"))["kernels"].size();
  };
  CHECK(kernels({"--kernel-name", "regex:.", "--launch-count", "1"}) == 1);
  CHECK(kernels({"--kernel-name", "no_such_kernel"}) == 0);
  CHECK(kernels({"--launch-skip", "1"}) == 0);
  CHECK(kernels({"--nvtx-include", "no such range/"}) == 0);
  CHECK(kernels({"--profile-from-start", "off"}) == 0);
}

TEST_CASE("the devices are listed, with a mark for those whose times are not validated") {
  const ProcessResult result = command({"devices"});
  CHECK(result.code == 0);
  CHECK(says(result, "h200"));
  std::istringstream lines(result.output);
  unsigned validated = 0, marked = 0;
  for (std::string line; std::getline(lines, line);) {
    const bool not_validated = line.find("not validated") != std::string::npos;
    marked += not_validated ? 1 : 0;
    validated += !not_validated && line.find("validated") != std::string::npos ? 1 : 0;
    CHECK((line.rfind("h200 ", 0) != 0 || !not_validated));
  }
  CHECK(validated == 1);
  CHECK(marked == 5);
}

TEST_CASE("a script that starts a program runs too") {
  const ProcessResult result = command({"run", "--", "sh", "-c", kHello + " from a shell"});
  CHECK(says(result, "argument from"));
}

TEST_CASE("a program that uses the driver API runs, and gets an error where it calls the runtime linked into it") {
  const ProcessResult driver = command({"run", "--", WARPBOOK_DRIVER_ONLY});
  CHECK(says(driver, "the answer is 42"));
  CHECK(driver.code == 0);
  const ProcessResult runtime = command({"run", "--", WARPBOOK_DRIVER_ONLY, "runtime"});
  CHECK(says(runtime, "driver_only has NVIDIA's CUDA runtime linked into it (nvcc -cudart static)"));
  CHECK(says(runtime, "cuGetExportTable is not supported by the virtual GPU"));
  CHECK(runtime.code == 3);
}

TEST_CASE("what cannot run is named, with what to do") {
  const std::string folder = std::filesystem::path(kHello).parent_path().string();
  const auto check = [&](std::vector<std::string> arguments, const std::string& text) {
    const ProcessResult result = command(std::move(arguments), folder);
    CHECK(says(result, text));
    CHECK(result.code == 2);
  };
  check({"run", "--", "./no_such_program"}, "'./no_such_program' does not exist");
  check({"run", "--", "no_such_program"}, "is not on PATH");
  check({"run", "--", "hello"}, "started as ./hello");
  check({"run", "--", "."}, "is not on PATH");
  check({"run", "--", "./"}, "is a folder");
  check({"run", "--", kHello + "_static"}, "Rebuild with: nvcc -cudart shared");
  check({"run", "--device", "abacus", "--", kHello},
        "there is no device 'abacus'; there is: a100, h200, jetson-orin, l4, rtx4090, t4");
  check({"run", "--device", "abacus.json", "--", kHello}, "the device description 'abacus.json' does not exist");
  check({"run", "--devices", "0", "--", kHello}, "--devices: '0' is not a number of devices");
  check({"run", "--devices", "17", "--", kHello}, "--devices: '17' is not a number of devices");
  check({"run", "--devices", "h200,abacus", "--", kHello},
        "there is no device 'abacus'; there is: a100, h200, jetson-orin, l4, rtx4090, t4");
  check({"run", "--devices", "h200,", "--", kHello}, "--devices: 'h200,' ends with a comma");
  check({"run", "--profile", "/no/such/folder/p.json", "--", kHello}, "/no/such/folder");
  check({"run", "--threads", "0", "--", kHello}, "--threads: '0' must be a whole number from 1");
  check({"run", "--schedule-seed", "-3", "--", kHello}, "--schedule-seed: '-3' must be a whole number from 0");
  check({"run", "--profile", "p", "--kernel-name", "regex:[", "--", kHello}, "'[' is not a regular expression");
  check({"run", "--profile", "p", "--nvtx-include", "a//b", "--", kHello}, "has a range without a name");
  check({"run", "--profile", "p", "--profile-from-start", "no", "--", kHello}, "--profile-from-start");
  check({"run", "--launch-count", "1", "--", kHello}, "requires --profile");
  check({"run", "--no-such-option", "--", kHello}, "--no-such-option");
  check({"run"}, "command is required");
  check({}, "Subcommands:");
  check({"frobnicate"}, "there is no command 'frobnicate'");
}

TEST_CASE("the linkage of a program is read from its headers, damaged ones are refused") {
  const CudaLinkage shared = read_linkage(kHello);
  CHECK(shared.elf);
  CHECK(shared.device_code);
  CHECK(std::find(shared.needed.begin(), shared.needed.end(), "libcudart.so.13") != shared.needed.end());
  const CudaLinkage fixed = read_linkage(kHello + "_static");
  CHECK(fixed.device_code);
  CHECK(std::find(fixed.needed.begin(), fixed.needed.end(), "libcudart.so.13") == fixed.needed.end());
  CHECK_FALSE(read_linkage("/proc/self/cmdline").elf);
  CHECK_THROWS_AS(read_linkage("/no/such/file"), std::runtime_error);

  const TemporaryFolder folder;
  const std::string whole = read(kHello), damaged = folder.path() + "/damaged";
  std::ofstream(damaged) << whole.substr(0, whole.size() / 2);
  CHECK_THROWS_AS(read_linkage(damaged), std::runtime_error);
}

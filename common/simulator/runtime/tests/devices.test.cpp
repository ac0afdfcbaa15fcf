// Programs for several devices, on machines that have several.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "common/simulator/runtime/tests/program.h"
#include "common/testing/catch.h"

using namespace warpbook::simulator::runtime;

namespace {

using Environment = std::map<std::string, std::string>;

void check_passes_with(const std::string& name, const Environment& environment) {
  const Outcome outcome = run_program(name, {}, environment);
  INFO(name << " said:\n" << outcome.output << outcome.errors);
  CHECK(outcome.signal == 0);
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.output.find(" 0 failed") != std::string::npos);
}

std::string seen(const Environment& environment) { return run_program("seen_devices", {}, environment).output; }

bool has_text(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// A file that belongs to the test.
class DeviceFile {
 public:
  DeviceFile()
      : path_(std::filesystem::temp_directory_path() / ("warpbook_device_" + std::to_string(::getpid()) + ".json")) {}
  ~DeviceFile() { std::filesystem::remove(path_); }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace

TEST_CASE("two devices give the results of two H200s, in every schedule") {
  for (const char* seed : {"0", "1", "4", "7"}) {
    CAPTURE(seed);
    check_passes_with("peers", {{"WARPBOOK_DEVICES", "2"}, {"WARPBOOK_SCHEDULE_SEED", seed}});
    check_passes_with("halo", {{"WARPBOOK_DEVICES", "h200,h200"}, {"WARPBOOK_SCHEDULE_SEED", seed}});
  }
}

TEST_CASE("a kernel of one device waits for the host while another device works") {
  check_passes_with("suspended", {{"WARPBOOK_DEVICES", "2"}});
  check_passes_with("suspended", {{"WARPBOOK_DEVICES", "2"}, {"WARPBOOK_SCHEDULE_SEED", "3"}});
}

TEST_CASE("memory of another device cannot be accessed without peer access, and the message names its owner") {
  for (const char* which : {"plain", "disabled", "pool"}) {
    CAPTURE(which);
    const Outcome outcome = run_program("peer_faults", {which}, {{"WARPBOOK_DEVICES", "2"}});
    INFO(outcome.output << outcome.errors);
    CHECK(outcome.exit_code == 0);
    CHECK(has_text(outcome.errors, "memory of device 1"));
    CHECK(has_text(outcome.errors,
                   std::string(which) == "pool" ? "cudaMemPoolSetAccess" : "cudaDeviceEnablePeerAccess(1, 0)"));
  }
}

TEST_CASE("a machine has the requested devices, and a program sees those that CUDA_VISIBLE_DEVICES selects") {
  CHECK(has_text(seen({}), "1 devices (cudaSuccess)"));
  const std::string three = seen({{"WARPBOOK_DEVICES", "3"}});
  CHECK(has_text(three, "3 devices (cudaSuccess)"));
  CHECK(has_text(three, "2: NVIDIA H200, 132 multiprocessors"));
  CHECK(has_text(three, "0000:00:08.0, access 1"));
  const auto of_three = [](const char* visible) {
    return seen({{"WARPBOOK_DEVICES", "3"}, {"CUDA_VISIBLE_DEVICES", visible}});
  };
  const std::string turned = of_three("2,0");
  CHECK(has_text(turned, "2 devices"));
  CHECK(has_text(turned, "0: NVIDIA H200, 132 multiprocessors, 143155 MiB, 0000:00:08.0"));
  CHECK(has_text(turned, "1: NVIDIA H200, 132 multiprocessors, 143155 MiB, 0000:00:06.0"));
  CHECK(has_text(of_three("1,7,0"), "1 devices"));
  CHECK(has_text(of_three("0,-1,1"), "1 devices"));
  CHECK(has_text(of_three("GPU-77617270-626f-6f6b-6832-303000000002"), "0000:00:08.0"));
  CHECK(has_text(of_three(" 1abc"), "0000:00:07.0"));
  CHECK(has_text(of_three("0,GPU-77617270"), "1 devices"));
  CHECK(has_text(of_three("1,1"), "-1 devices (cudaErrorInvalidDevice)"));
  for (const char* none : {"", "-1", "none", "GPU-", ",0"}) {
    const std::string text = of_three(none);
    CAPTURE(none, text);
    CHECK(has_text(text, "-1 devices (cudaErrorNoDevice)"));
    CHECK(has_text(text, "cudaSetDevice: cudaErrorNoDevice"));
    CHECK(has_text(text, "cudaMalloc: cudaErrorNoDevice"));
    CHECK(has_text(text, "cuInit: 100"));
  }
}

TEST_CASE("devices of one machine may differ, and those without a link cannot access each other") {
  std::ifstream built_in(WARPBOOK_TEST_DEVICE);
  nlohmann::json device = nlohmann::json::parse(built_in);
  device["name"] = "small";
  device["display_name"] = "Small Device";
  device["attributes"]["multiprocessor_count"] = 16;
  device.erase("links");
  device.erase("processing_clusters");
  const DeviceFile file;
  std::ofstream(file.path()) << device;
  const std::string text = seen({{"WARPBOOK_DEVICES", "h200," + file.path()}});
  INFO(text);
  CHECK(has_text(text, "0: NVIDIA H200, 132 multiprocessors, 143155 MiB, 0000:00:06.0, access 0"));
  CHECK(has_text(text, "1: Small Device, 16 multiprocessors"));
}

TEST_CASE("a pool is shared within one process") { CHECK(run_program("pools", {"alone"}).exit_code == 0); }

TEST_CASE("two processes share memory, events and pools") {
  // A program in another process than its device has only one device process, so fork() cannot work.
  if (std::getenv("WARPBOOK_RUN_APART") != nullptr) return;
  check_passes_with("ipc", {});
  check_passes_with("ipc", {{"WARPBOOK_DEVICES", "2"}});
  check_passes_with("pools", {});
}

TEST_CASE("the profile records which device did what") {
  const DeviceFile file;
  check_passes_with("halo", {{"WARPBOOK_DEVICES", "2"}, {"WARPBOOK_PROFILE", file.path()}});
  std::ifstream written(file.path());
  const nlohmann::json profile = nlohmann::json::parse(written);
  CHECK(profile["devices"] == nlohmann::json({"h200", "h200"}));
  bool between = false, second = false;
  for (const auto& copy : profile["copies"])
    between = between || (copy.contains("from_device") && copy["from_device"] == 1 && copy["to_device"] == 0);
  for (const auto& kernel : profile["kernels"]) second = second || kernel["device"] == 1;
  CHECK(between);
  CHECK(second);
  check_passes_with("peers", {{"WARPBOOK_DEVICES", "2"}, {"WARPBOOK_PROFILE", file.path()}});
  std::ifstream peers(file.path());
  bool used = false;
  const nlohmann::json of_peers = nlohmann::json::parse(peers);
  for (const auto& kernel : of_peers["kernels"]) {
    if (!kernel.contains("peer_bytes")) continue;
    used = true;
    CHECK(kernel["model"].contains("peer"));
  }
  CHECK(used);
  // A machine with one device has none of these fields.
  run_program("seen_devices", {}, {{"WARPBOOK_PROFILE", file.path()}});
  std::ifstream one(file.path());
  CHECK_FALSE(nlohmann::json::parse(one).contains("devices"));
}

TEST_CASE("invalid devices are refused with what is expected") {
  const auto said = [](const char* devices) {
    return run_program("seen_devices", {}, {{"WARPBOOK_DEVICES", devices}}).errors;
  };
  CHECK(has_text(said("0"), "WARPBOOK_DEVICES: '0' devices: a machine has 1 to 16"));
  CHECK(has_text(said("99"), "a machine has 1 to 16"));
  CHECK(has_text(said("h200,"), "neither a number of devices nor a list"));
  CHECK(has_text(said("h200,gt9000"), "there is no device 'gt9000'"));
}

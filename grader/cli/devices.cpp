// warpbook devices: the described devices, and whether their times were compared with measurements.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "grader/cli/commands.h"

namespace warpbook::grader {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr double kBytesPerGibibyte = 1024.0 * 1024 * 1024;

json read_description(const std::string& path) {
  std::ifstream file(path);
  try {
    return json::parse(file);
  } catch (const json::parse_error& error) {
    throw std::runtime_error("the device description " + path + " cannot be read: " + error.what());
  }
}

}  // namespace

std::vector<std::string> known_devices(const std::string& project_root) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(project_root + "/common/simulator/model/devices", error)) {
    if (entry.path().extension() == ".json") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

int list_devices(const std::string& project_root) {
  std::printf("%-12s  %-26s  %10s  %4s  %9s  %s\n", "name", "device", "capability", "SMs", "memory", "times");
  for (const std::string& name : known_devices(project_root)) {
    const json device = read_description(project_root + "/common/simulator/model/devices/" + name + ".json");
    const json& attributes = device.at("attributes");
    const std::string capability = std::to_string(attributes.at("compute_capability_major").get<int>()) + "." +
                                   std::to_string(attributes.at("compute_capability_minor").get<int>());
    std::printf("%-12s  %-26s  %10s  %4d  %5.1f GiB  %s\n", name.c_str(),
                device.at("display_name").get<std::string>().c_str(), capability.c_str(),
                attributes.at("multiprocessor_count").get<int>(),
                attributes.at("total_memory").get<double>() / kBytesPerGibibyte,
                device.value("validated", false) ? "validated" : "not validated: from published data");
  }
  return 0;
}

}  // namespace warpbook::grader

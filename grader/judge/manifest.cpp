// Reading manifests, lab.json and the headers of wrong answers.
#include "grader/judge/manifest.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

namespace warpbook::grader {

namespace {

using Json = nlohmann::json;

Json read_json(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw ManifestError(path + " cannot be read. Configure first: cmake --preset sim");
  try {
    return Json::parse(in);
  } catch (const nlohmann::json::exception& error) {
    throw ManifestError(path + ": " + error.what());
  }
}

void read_lab_json(Manifest& manifest) {
  const std::string path = manifest.project_root + "/labs/" + manifest.path() + "/lab.json";
  const Json json = read_json(path);
  try {
    manifest.title = json.at("title").get<std::string>();
    manifest.order = json.at("order").get<int>();
    manifest.points = json.at("points").get<double>();
    manifest.openacc = json.value("openacc", false);
    manifest.time_with_copies = json.value("time_with_copies", false);
    manifest.copies_on_device = json.value("copies_on_device", false);
    manifest.time_between_events = json.value("time_between_events", false);
    for (const Json& rung : json.value("rungs", Json::array())) {
      manifest.rungs.push_back({rung.at("rung").get<std::string>(), rung.at("title").get<std::string>(),
                                rung.at("source").get<std::string>(), rung.value("library", false)});
    }
    if (!manifest.rungs.empty() && manifest.rungs.front().library)
      throw ManifestError(path +
                          ": the first rung is a library; speed-ups are measured against the first rung, which "
                          "must be an answer");
  } catch (const nlohmann::json::exception& error) {
    throw ManifestError(path + ": " + error.what() +
                        ". It needs title, order, points, and rungs of rung, title, source.");
  }
}

}  // namespace

std::string Manifest::source_of(const std::string& answer) const {
  if (answer == "student") return "labs/" + path() + "/" + lab + suffix;
  if (answer == "solution") return "solutions/" + path() + "/" + lab + suffix;
  if (answer.rfind("exploit:", 0) == 0) return "grader/labs/" + path() + "/exploits/" + answer.substr(8) + suffix;
  if (answer.rfind("right:", 0) == 0) return "grader/labs/" + path() + "/right/" + answer.substr(6) + suffix;
  if (answer.rfind("wrong:", 0) == 0) return "grader/labs/" + path() + "/wrong/" + answer.substr(6) + suffix;
  return answer;
}

const std::string& Manifest::worker_of(const std::string& answer) const {
  const std::string source = source_of(answer);
  const auto found = workers.find(source);
  if (found == workers.end()) {
    std::string known;
    for (const auto& [name, program] : workers) known += "\n  " + name;
    throw ManifestError("lab " + lab + " has no program for '" + source + "'; it has:" + known);
  }
  return found->second;
}

Manifest read_manifest(const std::string& path) {
  const Json json = read_json(path);
  Manifest manifest;
  try {
    manifest.lab = json.at("lab").get<std::string>();
    manifest.chapter = json.at("chapter").get<std::string>();
    manifest.project_root = json.at("project_root").get<std::string>();
    manifest.build_folder = json.at("build_folder").get<std::string>();
    manifest.suffix = json.value("suffix", manifest.suffix);
    manifest.backend = json.at("backend").get<std::string>();
    manifest.device = json.at("device").get<std::string>();
    manifest.test_program = json.at("test_program").get<std::string>();
    manifest.results_folder = json.at("results_folder").get<std::string>();
    manifest.device_process = json.at("device_process").get<std::string>();
    manifest.front_folder = json.at("front_folder").get<std::string>();
    manifest.sanitized = json.at("sanitized").get<bool>();
    manifest.copy_probe = json.value("copy_probe", "");
    manifest.workers = json.at("workers").get<std::map<std::string, std::string>>();
    for (const Json& test : json.at("tests")) {
      manifest.tests.push_back({test.at("kind").get<std::string>(), test.at("sentence").get<std::string>(),
                                test.at("points").get<double>()});
    }
  } catch (const nlohmann::json::exception& error) {
    throw ManifestError(path + ": " + error.what() + ". Configure again: cmake --preset sim");
  }
  read_lab_json(manifest);
  return manifest;
}

std::vector<Manifest> read_manifests(const std::string& build_folder) {
  std::vector<Manifest> manifests;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(build_folder + "/manifests", error)) {
    if (entry.path().extension() == ".json") manifests.push_back(read_manifest(entry.path().string()));
  }
  if (manifests.empty()) {
    throw ManifestError(build_folder + " holds no labs. Configure first, from the project's root: cmake --preset sim");
  }
  std::sort(manifests.begin(), manifests.end(),
            [](const Manifest& a, const Manifest& b) { return std::pair(a.order, a.lab) < std::pair(b.order, b.lab); });
  return manifests;
}

namespace {

/// What follows a key at the beginning of a line, without the spaces around it; empty if it does not begin so.
std::string after(const std::string& line, const std::string& key) {
  if (line.rfind(key, 0) != 0) return "";
  const auto begin = line.find_first_not_of(' ', key.size());
  return begin == std::string::npos ? "" : line.substr(begin, line.find_last_not_of(" \r") - begin + 1);
}

}  // namespace

ExploitPoints read_exploit(const std::string& file) {
  std::ifstream in(file);
  if (!in) throw ManifestError(file + " cannot be read");
  std::optional<double> earns, gets;
  for (std::string line; std::getline(in, line) && line.rfind("//", 0) == 0;) {
    for (const auto& [key, value] : {std::pair{"// earns:", &earns}, {"// gets:", &gets}}) {
      const std::string points = after(line, key);
      char* end = nullptr;
      const double number = std::strtod(points.c_str(), &end);
      if (end != points.c_str() && *end == '\0') *value = number;
    }
  }
  if (!earns) throw ManifestError(file + ": the first comment needs a line '// earns: <points of its honest part>'");
  return {*earns, gets};
}

WrongAnswer read_wrong_answer(const std::string& file) {
  std::ifstream in(file);
  if (!in) throw ManifestError(file + " cannot be read");
  WrongAnswer wrong;
  for (std::string line; std::getline(in, line) && line.rfind("//", 0) == 0;) {
    if (const std::string test = after(line, "// rejected-by:"); !test.empty()) wrong.rejected_by = test;
    if (const std::string text = after(line, "// because:"); !text.empty()) wrong.because.push_back(text);
  }
  if (wrong.rejected_by.empty() || wrong.because.empty()) {
    throw ManifestError(file +
                        ": the first comment needs a line '// rejected-by: <kind>.<sentence>' and at least one "
                        "'// because: <text of the failure>'");
  }
  return wrong;
}

}  // namespace warpbook::grader

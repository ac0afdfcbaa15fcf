// Reading manifests and lab.json.
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

/// Replaces {home} and {project} at the start of every text by folders.
void place(Json& json, const std::string& home, const std::string& project) {
  if (json.is_structured()) {
    for (Json& value : json) place(value, home, project);
  } else if (json.is_string()) {
    std::string& text = json.get_ref<std::string&>();
    for (const auto& [name, folder] : {std::pair("{home}", &home), {"{project}", &project}})
      if (text.starts_with(name)) text.replace(0, std::string(name).size(), *folder);
  }
}

/// The number in a key of an answer; nothing if it has no such key.
std::optional<double> points_of(const Json& answer, const char* key) {
  if (!answer.contains(key)) return std::nullopt;
  const std::string text = answer.at(key).at(0).get<std::string>();
  char* end = nullptr;
  const double points = std::strtod(text.c_str(), &end);
  return end != text.c_str() && *end == 0 ? std::optional(points) : std::nullopt;
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
    manifest.device_heap = json.value("device_heap", false);
    manifest.copies_on_device = json.value("copies_on_device", false);
    manifest.copies_to_device = json.value("copies_to_device", false);
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

const KnownAnswer& Manifest::known_answer(const std::string& answer) const {
  const auto found = known.find(answer);
  if (found == known.end()) throw ManifestError("lab " + lab + " has no answer '" + answer + "'");
  const KnownAnswer& said = found->second;
  if (answer.rfind("wrong:", 0) == 0 && (said.rejected_by.empty() || said.because.empty()))
    throw ManifestError(answer + " of lab " + lab + " needs a line 'rejected-by: <kind>.<sentence>' and at least one " +
                        "'because: <kind of finding> <key>=<value> ...'");
  if (answer.rfind("exploit:", 0) == 0 && !said.earns)
    throw ManifestError(answer + " of lab " + lab + " needs a line 'earns: <points of its honest part>'");
  return said;
}

Manifest read_manifest(const std::string& path) {
  Json json = read_json(path);
  const std::filesystem::path home = std::filesystem::absolute(path).lexically_normal().parent_path().parent_path();
  place(json, home.string(), home.parent_path().parent_path().string());
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
    manifest.toolkit = json.value("build", Json::object()).value("toolkit", "");
    manifest.reference = json.value("reference", "");
    manifest.workers = json.at("workers").get<std::map<std::string, std::string>>();
    const Json answers = json.value("answers", Json::object());
    for (const auto& [name, answer] : answers.items()) {
      KnownAnswer& known = manifest.known[name];
      if (answer.contains("rejected-by")) known.rejected_by = answer.at("rejected-by").at(0).get<std::string>();
      known.because = answer.value("because", known.because);
      known.earns = points_of(answer, "earns");
      known.gets = points_of(answer, "gets");
    }
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

}  // namespace warpbook::grader

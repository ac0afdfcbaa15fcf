// Reading the reference's recorded figures, and writing those of one run.
#include "grader/judge/reference.h"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace warpbook::grader {

namespace {

using Json = nlohmann::json;

constexpr const char* kFormat = "warpbook.reference";
constexpr int kFiguresVersion = 1;

}  // namespace

std::optional<std::size_t> RecordedReference::draw_of(const std::string& test, std::uint64_t seed) const {
  if (!times.contains(test)) return std::nullopt;
  return static_cast<std::size_t>(seed % draws.size());
}

RecordedReference read_reference(const std::string& path) {
  const std::string next = ". It belongs to the student edition: unpack that again, or ask whoever published it.";
  std::ifstream in(path);
  if (!in) throw std::runtime_error(path + " cannot be read" + next);
  try {
    const Json json = Json::parse(in);
    if (json.at("format") != kFormat || json.at("version") != kFiguresVersion)
      throw std::runtime_error(path + ": format is " + json.at("format").dump() + " " + json.at("version").dump() +
                               ", not " + kFormat + " " + std::to_string(kFiguresVersion) + next);
    RecordedReference reference;
    reference.draws = json.at("draws").get<std::vector<std::uint64_t>>();
    reference.times = json.at("times").get<std::map<std::string, std::vector<std::vector<double>>>>();
    reference.most = {json.at("most").at("cpu_s").get<double>(), json.at("most").at("warp_instructions").get<double>()};
    reference.needs_little_memory = json.at("needs_little_memory").get<bool>();
    for (const Json& rung : json.at("rungs")) reference.rungs.push_back(step_from_json(rung));
    for (const auto& [test, draws] : reference.times)
      if (draws.empty() || draws.size() != reference.draws.size())
        throw std::runtime_error(path + ": " + test + " has times of " + std::to_string(draws.size()) +
                                 " draws, not of " + std::to_string(reference.draws.size()) + next);
    return reference;
  } catch (const nlohmann::json::exception& error) {
    throw std::runtime_error(path + ": " + error.what() + next);
  }
}

void ReferenceRun::add(const Need& need) {
  most = {std::max(most.cpu_s, need.cpu_s), std::max(most.steps, need.steps)};
}

std::string ReferenceRun::text() const {
  const Json json = {{"times", times},
                     {"most", {{"cpu_s", most.cpu_s}, {"warp_instructions", most.steps}}},
                     {"needs_little_memory", needs_little_memory}};
  return json.dump(1) + "\n";
}

}  // namespace warpbook::grader

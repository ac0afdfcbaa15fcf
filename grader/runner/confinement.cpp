// Reads how to confine a program, and starts it confined.
#include "grader/runner/confinement.h"

#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace warpbook::grader {

void Confinement::apply(ProcessRequest& request) const {
  std::vector<std::string> arguments(command.begin() + 1, command.end());
  arguments.push_back(program);
  arguments.insert(arguments.end(), request.arguments.begin(), request.arguments.end());
  request.program = command.front();
  request.arguments = std::move(arguments);
  request.environment["HOME"] = request.environment["TMPDIR"] = folder;
  // A sanitizer looks for leaks by tracing the process, which a sandbox forbids.
  request.environment["ASAN_OPTIONS"] = "detect_leaks=0";
  request.confined = true;
}

Confinement read_confinement(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw std::runtime_error(path + " cannot be read: --confine needs a file of format warpbook.confinement");
  Confinement confinement;
  try {
    const auto json = nlohmann::json::parse(in);
    if (json.at("format") != "warpbook.confinement" || json.at("version") != 1)
      throw std::runtime_error("format is not warpbook.confinement, version 1");
    confinement.command = json.at("command").get<std::vector<std::string>>();
    confinement.program = json.at("program").get<std::string>();
    confinement.folder = json.at("folder").get<std::string>();
    confinement.limits = limits_from(json.at("limits"));
  } catch (const std::exception& error) {
    throw std::runtime_error(path + ": " + error.what());
  }
  return confinement;
}

}  // namespace warpbook::grader

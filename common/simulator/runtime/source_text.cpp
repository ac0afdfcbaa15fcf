// Reads and caches the lines of source files.
#include "common/simulator/runtime/source_text.h"

#include <fstream>
#include <map>
#include <vector>

namespace warpbook::simulator::runtime {
namespace {

std::vector<std::string> read_lines(const std::string& path) {
  std::vector<std::string> lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const auto begin = line.find_first_not_of(" \t\r");
    lines.push_back(begin == std::string::npos ? std::string()
                                               : line.substr(begin, line.find_last_not_of(" \t\r") - begin + 1));
  }
  return lines;
}

}  // namespace

std::string source_text(const std::string& path, std::uint32_t number) {
  if (path.empty() || number == 0) return {};
  static auto* files = new std::map<std::string, std::vector<std::string>>;
  const auto [file, fresh] = files->try_emplace(path);
  if (fresh) file->second = read_lines(path);
  return number <= file->second.size() ? file->second[number - 1] : std::string();
}

}  // namespace warpbook::simulator::runtime

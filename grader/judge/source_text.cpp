// Reading lines of source files, and making their paths relative.
#include "grader/judge/source_text.h"

#include <algorithm>
#include <cctype>
#include <fstream>

namespace warpbook::grader {

SubmittedSource& submitted_source() {
  static SubmittedSource source;
  return source;
}

std::string relative_to(const std::string& file, const std::string& project_root) {
  const auto without = [&](const std::string& root) {
    const std::string prefix = root.empty() || root.back() == '/' ? root : root + "/";
    return !prefix.empty() && file.rfind(prefix, 0) == 0 ? file.substr(prefix.size()) : file;
  };
  const SubmittedSource& submitted = submitted_source();
  return submitted.given() && file.rfind(submitted.root + "/", 0) == 0 ? without(submitted.root)
                                                                       : without(project_root);
}

namespace {

/// Of a submitted answer only its own file: compiled code says which files it is made of, and #line lets it name any.
std::ifstream open_source(const std::string& file) {
  const SubmittedSource& submitted = submitted_source();
  if (submitted.given() && file != submitted.root + "/" + submitted.name) return {};
  return std::ifstream(submitted.given() ? submitted.source : file);
}

}  // namespace

std::vector<int> lines_of_launches(const std::string& file, const std::string& kernel) {
  std::ifstream in = open_source(file);
  const auto part_of_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  std::vector<int> found;
  std::string text;
  for (int line = 1; !kernel.empty() && std::getline(in, text); ++line) {
    text.erase(std::min(text.find("//"), text.size()));
    const std::size_t at = text.find(kernel), behind = at + kernel.size();
    if (at == std::string::npos || (at > 0 && part_of_name(text[at - 1]))) continue;
    if (behind < text.size() && part_of_name(text[behind])) continue;
    if (text.find("<<<", behind) != std::string::npos || text.find("Launch") < at) found.push_back(line);
  }
  return found;
}

std::string source_line(const std::string& file, int line) {
  std::ifstream in = open_source(file);
  std::string text;
  for (int i = 0; i < line && std::getline(in, text); ++i) {
  }
  if (line <= 0 || !in) return "";
  const auto begin = text.find_first_not_of(" \t");
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

}  // namespace warpbook::grader

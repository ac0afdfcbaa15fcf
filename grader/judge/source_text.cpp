// Reading lines of source files, and making their paths relative.
#include "grader/judge/source_text.h"

#include <algorithm>
#include <cctype>
#include <fstream>

namespace warpbook::grader {

namespace {

/// A path inside a folder, relative to that folder; any other unchanged.
std::string below(const std::string& root, const std::string& file) {
  const std::string prefix = root.empty() || root.back() == '/' ? root : root + "/";
  return !prefix.empty() && file.starts_with(prefix) ? file.substr(prefix.size()) : file;
}

}  // namespace

std::string Sources::relative(const std::string& file) const {
  const bool submitted = is_submitted() && file.starts_with(submitted_.root + "/");
  return below(submitted ? submitted_.root : project_root_, file);
}

std::string Sources::without_roots(std::string text) const {
  for (const std::string& root : {project_root_, submitted_.root}) {
    const std::size_t path = root.empty() ? std::string::npos : text.find(root + '/');
    if (path != std::string::npos) text.erase(path, root.size() + 1);
  }
  return text;
}

std::string Sources::answer(const std::string& name) const {
  return is_submitted() ? submitted_.root + "/" + submitted_.name : project_root_ + "/" + name;
}

/// Of a submitted answer only its own file: with #line, compiled code can claim to come from any file.
std::ifstream Sources::open(const std::string& file) const {
  if (is_submitted()) return file == answer("") ? std::ifstream(submitted_.source) : std::ifstream();
  std::ifstream in(file);
  if (!in && !project_root_.empty()) in.open(project_root_ + "/" + file);
  return in;
}

std::vector<int> Sources::lines_of_launches(const std::string& file, const std::string& kernel) const {
  std::ifstream in = open(file);
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

std::string Sources::line(const std::string& file, int line) const {
  std::ifstream in = open(file);
  std::string text;
  for (int i = 0; i < line && std::getline(in, text); ++i) {
  }
  if (line <= 0 || !in) return "";
  const auto begin = text.find_first_not_of(" \t");
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

}  // namespace warpbook::grader

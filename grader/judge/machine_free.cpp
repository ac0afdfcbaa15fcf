// Finding paths in a text, and shortening them.
#include "grader/judge/machine_free.h"

#include <algorithm>
#include <cctype>
#include <cstring>

namespace warpbook::grader {

namespace {

/// Folders that are the same wherever warpbook runs: the system's headers, and what a sandbox calls its own.
constexpr const char* kEverywhere[] = {"/usr/", "/warpbook/", "/proc/", "/dev/", "/sys/", "/etc/"};

bool is_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// Whether a character can be part of a folder's name.
bool is_of_name(char c) { return is_letter(c) || (c != 0 && std::strchr(".+@~%=-", c) != nullptr); }

void replace_root(std::string& text, const Root& root) {
  const auto& [folder, name] = root;
  for (std::size_t at = 0; (at = text.find(folder, at)) != std::string::npos;) {
    const std::size_t end = at + folder.size();
    const char next = end < text.size() ? text[end] : '\0';
    if (is_letter(next) || next == '.' || next == '-') {
      ++at;  // The beginning of another name.
      continue;
    }
    const bool is_above = next == '/';
    const std::string shown = is_above ? (name.empty() ? "" : name + "/") : name.empty() ? "the project" : name;
    text.replace(at, folder.size() + (is_above ? 1 : 0), shown);
    at += shown.size();  // The replacement may contain the folder's own name.
  }
}

/// Where a path of at least one folder that begins here ends; @p name is where its last name begins. Else 0.
std::size_t end_of_path(const std::string& text, std::size_t begin, std::size_t& name) {
  std::size_t at = begin + 1, end = 0;
  for (name = at; at < text.size();) {
    const std::size_t first = at;
    while (at < text.size() && is_of_name(text[at])) ++at;
    if (at == first || at == text.size() || text[at] != '/') break;
    name = end = ++at;
  }
  if (end == 0) return 0;
  while (end < text.size() && is_of_name(text[end])) ++end;
  return end;
}

}  // namespace

std::string without_machine(std::string text, std::vector<Root> roots) {
  std::sort(roots.begin(), roots.end(), [](const Root& a, const Root& b) { return a.first.size() > b.first.size(); });
  for (const Root& root : roots)
    if (root.first.size() > 1) replace_root(text, root);
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const char before = at > 0 ? text[at - 1] : ' ';
    const bool inside = is_letter(before) || std::strchr("./:\\", before) != nullptr;
    std::size_t name = 0;
    const std::size_t end = text[at] == '/' && !inside ? end_of_path(text, at, name) : 0;
    if (end == 0) {
      result += text[at++];
      continue;
    }
    const std::string path = text.substr(at, end - at);
    const bool everywhere = std::any_of(std::begin(kEverywhere), std::end(kEverywhere),
                                        [&](const char* folder) { return path.rfind(folder, 0) == 0; });
    result += everywhere ? path : name < end ? text.substr(name, end - name) : "a folder";
    at = end;
  }
  return result;
}

}  // namespace warpbook::grader

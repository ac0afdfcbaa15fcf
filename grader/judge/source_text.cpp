// Reading lines of source files, and making their paths relative.
#include "grader/judge/source_text.h"

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

std::string source_line(const std::string& file, int line) {
  const SubmittedSource& submitted = submitted_source();
  // Compiled code says which files it is made of, and #line lets it name any.
  if (submitted.given() && file != submitted.root + "/" + submitted.name) return "";
  std::ifstream in(submitted.given() ? submitted.source : file);
  std::string text;
  for (int i = 0; i < line && std::getline(in, text); ++i) {
  }
  if (line <= 0 || !in) return "";
  const auto begin = text.find_first_not_of(" \t");
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

}  // namespace warpbook::grader

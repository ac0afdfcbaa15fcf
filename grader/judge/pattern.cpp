// Searches with the C library's regexec().
#include "grader/judge/pattern.h"

#include <stdexcept>
#include <string>

namespace warpbook::grader {

Pattern::Pattern(const char* extended) {
  if (::regcomp(&compiled_, extended, REG_EXTENDED) != 0)
    throw std::invalid_argument(std::string("'") + extended + "' is not a regular expression");
}

std::vector<std::string_view> Pattern::search(std::string_view text, std::size_t from) const {
  std::vector<::regmatch_t> groups(compiled_.re_nsub + 1);
  groups[0].rm_so = static_cast<::regoff_t>(from);
  groups[0].rm_eo = static_cast<::regoff_t>(text.size());
  if (::regexec(&compiled_, text.data(), groups.size(), groups.data(), REG_STARTEND) != 0) return {};
  std::vector<std::string_view> found;
  for (const ::regmatch_t& group : groups) {
    const auto begin = static_cast<std::size_t>(group.rm_so), end = static_cast<std::size_t>(group.rm_eo);
    found.push_back(group.rm_so < 0 ? std::string_view() : text.substr(begin, end - begin));
  }
  return found;
}

}  // namespace warpbook::grader

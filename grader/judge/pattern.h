// Regular expressions of the C library: std::regex takes 2 s to compile wherever it is used.
#pragma once

#include <regex.h>

#include <cstddef>
#include <string_view>
#include <vector>

namespace warpbook::grader {

class Pattern {
 public:
  /// @param extended a POSIX extended regular expression
  /// @throws std::invalid_argument
  explicit Pattern(const char* extended);
  ~Pattern() { ::regfree(&compiled_); }
  Pattern(const Pattern&) = delete;
  Pattern& operator=(const Pattern&) = delete;

  /// The first match that begins at @p from or later: all of it, then its groups. Empty: there is none.
  std::vector<std::string_view> search(std::string_view text, std::size_t from = 0) const;

 private:
  ::regex_t compiled_{};
};

}  // namespace warpbook::grader

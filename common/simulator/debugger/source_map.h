// From source lines and function names to operations, and back.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/simulator/kernel/program.h"

namespace warpbook::simulator::debugger {

/// Where a piece of code comes from.
struct CodePlace {
  const std::string* file = nullptr;  ///< As the compiler was given it; nullptr: unknown.
  std::uint32_t line = 0;
};

/// Operations at which a breakpoint stops, one for each function that has code there.
struct CodePlaces {
  std::vector<std::uint32_t> operations;
  std::string file;
  std::uint32_t line = 0;  ///< A later one, if the line that was asked for has no code.
};

class SourceMap {
 public:
  explicit SourceMap(const Program& program);

  CodePlace place_of(std::uint32_t operation) const;
  /// @param file a path, or the end of one; empty: any
  std::optional<CodePlaces> at_line(std::string_view file, std::uint32_t line) const;
  /// Behind what a function does before its first statement. @param name with or without namespace, template arguments
  /// and parameters, or mangled
  std::optional<CodePlaces> at_function(std::string_view name) const;
  /// The first operation behind the start of @p function.
  std::uint32_t body_of(std::uint32_t function) const;
  /// "scale(float, int)"
  const std::string& full_name(std::uint32_t function) const { return full_names_[function]; }
  /// "scale"
  const std::string& name(std::uint32_t function) const { return names_[function]; }
  /// Files that code comes from.
  std::vector<std::string> files() const;
  bool has_lines() const { return !lines_.empty(); }

 private:
  const Program& program_;
  std::vector<std::string> full_names_, names_;
  /// By file and line: the first operation in each function.
  std::map<std::uint32_t, std::map<std::uint32_t, std::map<std::uint32_t, std::uint32_t>>> lines_;
};

/// Whether @p path is @p wanted or ends with "/" and that.
bool is_file(std::string_view path, std::string_view wanted);
std::string base_name(std::string_view path);
/// A function as people call it, of its whole name: "ns::f<float,4>" of "ns::f<float, (int)4>(const float *)".
std::string called_name(std::string_view full);

}  // namespace warpbook::simulator::debugger

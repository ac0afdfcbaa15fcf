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
  const std::string* file = nullptr;  ///< As it was given to the compiler; nullptr: unknown.
  std::uint32_t line = 0;
};

/// Operations where a breakpoint stops, one for each function that has code at that place.
struct CodePlaces {
  std::vector<std::uint32_t> operations;
  std::string file;
  std::uint32_t line = 0;  ///< Later than the requested line if that one has no code.
};

class SourceMap {
 public:
  explicit SourceMap(const Program& program);

  CodePlace place_of(std::uint32_t operation) const;
  /// @param file a path, or the end of one; empty: any
  std::optional<CodePlaces> at_line(std::string_view file, std::uint32_t line) const;
  /// After the function's prologue. @param name with or without namespaces, template arguments and parameters, or
  /// mangled
  std::optional<CodePlaces> at_function(std::string_view name) const;
  /// The first operation after the prologue of @p function.
  std::uint32_t body_of(std::uint32_t function) const;
  /// "scale(float, int)"
  const std::string& full_name(std::uint32_t function) const { return full_names_[function]; }
  /// "scale"
  const std::string& name(std::uint32_t function) const { return names_[function]; }
  /// Source files of the code.
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
/// The name by which people call a function, from its full name: "ns::f<float,4>" from "ns::f<float, (int)4>(const
/// float *)".
std::string called_name(std::string_view full);

}  // namespace warpbook::simulator::debugger

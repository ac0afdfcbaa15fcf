// Sorts the operations of a program by their lines.
#include "common/simulator/debugger/source_map.h"

#include <algorithm>

#include "common/simulator/runtime/kernel_name.h"

namespace warpbook::simulator::debugger {

bool is_file(std::string_view path, std::string_view wanted) {
  if (wanted.empty() || path == wanted) return true;
  return path.size() > wanted.size() && path.substr(path.size() - wanted.size()) == wanted &&
         path[path.size() - wanted.size() - 1] == '/';
}

std::string base_name(std::string_view path) { return std::string(path.substr(path.rfind('/') + 1)); }

SourceMap::SourceMap(const Program& program) : program_(program) {
  for (const Function& function : program.functions) {
    full_names_.push_back(runtime::kernel_name(function.name));
    names_.push_back(runtime::function_name(full_names_.back()));
  }
  for (std::uint32_t f = 0; f < program.functions.size(); ++f) {
    // Where a function begins, column 0 stands for what the compiler adds; statements have columns from 1.
    for (const bool statements : {true, false}) {
      for (std::uint32_t i = program.functions[f].begin; i < program.functions[f].end; ++i) {
        const OperationDetail& detail = program.details[i];
        if (detail.internal || detail.source.line == 0 || (detail.source.column != 0) != statements) continue;
        lines_[detail.source.file][detail.source.line].try_emplace(f, i);
      }
    }
  }
}

CodePlace SourceMap::place_of(std::uint32_t operation) const {
  const ptx::SourcePosition& source = program_.details[operation].source;
  const auto file = program_.files.find(source.file);
  if (file == program_.files.end() || source.line == 0) return {};
  return {&file->second, source.line};
}

std::optional<CodePlaces> SourceMap::at_line(std::string_view file, std::uint32_t line) const {
  for (const auto& [key, lines] : lines_) {
    const auto name = program_.files.find(key);
    if (name == program_.files.end() || !is_file(name->second, file)) continue;
    const auto found = lines.lower_bound(line);
    if (found == lines.end()) continue;
    CodePlaces places{{}, name->second, found->first};
    for (const auto& [function, operation] : found->second) places.operations.push_back(operation);
    return places;
  }
  return std::nullopt;
}

std::uint32_t SourceMap::body_of(std::uint32_t function) const {
  const Function& of = program_.functions[function];
  std::optional<std::uint32_t> first;
  for (std::uint32_t i = of.begin; i < of.end; ++i) {
    const OperationDetail& detail = program_.details[i];
    if (detail.internal) continue;
    if (!first) first = i;
    if (detail.source.line != 0 && detail.source.column != 0) return i;
  }
  return first.value_or(of.begin);
}

std::optional<CodePlaces> SourceMap::at_function(std::string_view name) const {
  CodePlaces places;
  for (std::uint32_t f = 0; f < program_.functions.size(); ++f) {
    const std::string& full = full_names_[f];
    const std::string_view bare = std::string_view(full).substr(0, full.find_first_of("(<"));
    const bool same = name == names_[f] || name == bare || name == full || name == program_.functions[f].name ||
                      name == std::string_view(full).substr(0, full.find('('));
    if (!same) continue;
    places.operations.push_back(body_of(f));
  }
  if (places.operations.empty()) return std::nullopt;
  const CodePlace place = place_of(places.operations.front());
  if (place.file != nullptr) places.file = *place.file;
  places.line = place.line;
  return places;
}

std::vector<std::string> SourceMap::files() const {
  std::vector<std::string> files;
  for (const auto& [key, lines] : lines_) {
    const auto name = program_.files.find(key);
    if (name != program_.files.end()) files.push_back(name->second);
  }
  return files;
}

}  // namespace warpbook::simulator::debugger

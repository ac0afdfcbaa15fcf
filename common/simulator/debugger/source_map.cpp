// Sorts the operations of a program by source line.
#include "common/simulator/debugger/source_map.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <system_error>

#include "common/simulator/runtime/kernel_name.h"

namespace warpbook::simulator::debugger {

bool is_file(std::string_view path, std::string_view wanted) {
  namespace fs = std::filesystem;
  if (wanted.empty() || path == wanted) return true;
  // Compilers join paths: "/project/build/../kernel.cu".
  const std::string known = fs::path(path).lexically_normal(), asked = fs::path(wanted).lexically_normal();
  if (known == asked || known.ends_with("/" + asked)) return true;
  std::error_code ignored;
  return asked.front() == '/' && base_name(known) == base_name(asked) && fs::equivalent(known, asked, ignored);
}

std::string called_name(std::string_view full) {
  constexpr std::string_view kKept[] = {"(anonymous namespace)", "operator()"};
  std::string name;
  unsigned depth = 0;
  for (std::size_t i = 0; i < full.size(); ++i) {
    const auto kept = std::find_if(std::begin(kKept), std::end(kKept),
                                   [&](std::string_view word) { return full.substr(i, word.size()) == word; });
    if (kept != std::end(kKept)) {
      name += *kept;
      i += kept->size() - 1;
      continue;
    }
    if (full[i] == '(') {
      std::size_t end = i;
      for (unsigned open = 0; end < full.size(); ++end) {
        if (full[end] == '(') ++open;
        if (full[end] == ')' && --open == 0) break;
      }
      const char behind = end + 1 < full.size() ? full[end + 1] : '\0';
      // The parameter list ends the name, unless something is nested in that function: a lambda. Inside template
      // arguments, "(int)" before a number is its type, "(int)4", which nobody types.
      if (depth == 0 && full.substr(std::min(end + 1, full.size())).find("::") == std::string_view::npos) break;
      if (depth == 0 || std::isalnum(static_cast<unsigned char>(behind)) != 0 || behind == '-') {
        i = end;
        continue;
      }
    }
    if (full[i] == '<') ++depth;
    if (full[i] == '>' && depth > 0) --depth;
    if (full[i] != ' ') name += full[i];
  }
  return name;
}

/// Where the template arguments at the end of a name begin; its size if there are none.
static std::size_t arguments_begin(std::string_view name) {
  if (name.empty() || name.back() != '>') return name.size();
  unsigned depth = 0;
  for (std::size_t i = name.size(); i-- > 0;) {
    if (name[i] == '>') ++depth;
    if (name[i] == '<' && --depth == 0) return i;
  }
  return name.size();
}

std::string base_name(std::string_view path) { return std::string(path.substr(path.rfind('/') + 1)); }

SourceMap::SourceMap(const Program& program) : program_(program) {
  for (const Function& function : program.functions) {
    full_names_.push_back(runtime::kernel_name(function.name));
    names_.push_back(runtime::function_name(full_names_.back()));
  }
  for (std::uint32_t f = 0; f < program.functions.size(); ++f) {
    // At the start of a function, column 0 marks code that the compiler adds; statements have columns from 1.
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
  // A file may be listed several times, once for each linked module: take the nearest line in any of them.
  std::optional<CodePlaces> places;
  for (const auto& [key, lines] : lines_) {
    const auto name = program_.files.find(key);
    if (name == program_.files.end() || !is_file(name->second, file)) continue;
    // A bare line number refers to the program, not to the toolkit's headers.
    if (file.empty() && name->second.find("/include/") != std::string::npos) continue;
    const auto found = lines.lower_bound(line);
    if (found == lines.end() || (places && found->first > places->line)) continue;
    if (!places || found->first < places->line) places = CodePlaces{{}, name->second, found->first};
    if (name->second != places->file) continue;
    for (const auto& [function, operation] : found->second) places->operations.push_back(operation);
  }
  return places;
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
  const std::string wanted = called_name(name);
  const auto is_wanted = [&](std::string_view known) {
    if (known == wanted) return true;
    const std::string behind = "::" + wanted;
    return known.size() > behind.size() && known.substr(known.size() - behind.size()) == behind;
  };
  for (std::uint32_t f = 0; f < program_.functions.size(); ++f) {
    const std::string& full = full_names_[f];
    const std::string known = called_name(full);
    // For a template name without arguments: all of its instances.
    const std::string_view bare = std::string_view(known).substr(0, arguments_begin(known));
    if (name == names_[f] || name == full || name == program_.functions[f].name || is_wanted(known) || is_wanted(bare))
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

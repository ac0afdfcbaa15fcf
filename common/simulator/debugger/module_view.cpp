// Loads the DWARF reader and queries it.
#include "common/simulator/debugger/module_view.h"

#include <dlfcn.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "common/simulator/debugger/debug_sections.h"
#include "common/simulator/debugger/dwarf_reader.h"

namespace warpbook::simulator::debugger {
namespace {

const char kDwarfReaderAnchor = 0;  ///< An address in this library, to find its path by.

/// The reader is in the same folder as this library. @param problem set to the reason if it cannot be loaded
decltype(&warpbook_read_dwarf) dwarf_reader(std::string& problem) {
  Dl_info own{};
  if (dladdr(&kDwarfReaderAnchor, &own) == 0 || own.dli_fname == nullptr) {
    problem = "the folder of the virtual GPU's libraries is not known";
    return nullptr;
  }
  std::string path = own.dli_fname;
  path = path.substr(0, path.rfind('/') + 1) + "libwarpbook_dwarf.so";
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* const why = dlerror();
    problem = why == nullptr ? path + " cannot be loaded" : why;
    return nullptr;
  }
  return reinterpret_cast<decltype(&warpbook_read_dwarf)>(dlsym(library, "warpbook_read_dwarf"));
}

bool is_below_toolkit(const std::filesystem::path& file) {
  std::error_code ignored;
  for (std::filesystem::path folder = file.parent_path(); folder.has_relative_path(); folder = folder.parent_path())
    if (std::filesystem::exists(folder / "cuda_runtime_api.h", ignored)) return true;
  return false;
}

}  // namespace

ModuleView::ModuleView(ModuleSource source) : source_(std::move(source)), lines_(*source_.program->program) {
  for (const auto& [number, file] : program().files)
    if (is_below_toolkit(file)) toolkit_files_.insert(&file);
  for (const std::string& text : source_.texts) {
    std::vector<std::size_t>& starts = line_starts_.emplace_back(1, 0);
    for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1))
      starts.push_back(at + 1);
  }
  for (const std::string& text : source_.texts) {
    try {
      const DebugSections sections = read_debug_sections(text);
      if (sections.bytes.count(".debug_info") == 0) continue;
      const auto read = dwarf_reader(problem_);
      if (read == nullptr) return;
      auto unit = std::make_unique<DebugInfo>();
      if (const char* const wrong = read(sections, *unit)) problem_ = wrong;
      units_.push_back(std::move(unit));
    } catch (const std::runtime_error& error) {
      problem_ = error.what();
    }
  }
}

std::size_t ModuleView::text_of(const OperationDetail& detail) const {
  for (std::size_t i = 0; i < source_.texts.size(); ++i) {
    const std::vector<std::size_t>& starts = line_starts_[i];
    if (detail.ptx_line == 0 || detail.ptx_line >= starts.size()) continue;
    if (source_.texts[i].find(detail.spelling, starts[detail.ptx_line - 1]) < starts[detail.ptx_line]) return i;
  }
  return source_.texts.size();
}

std::string ModuleView::instruction(std::uint32_t operation) const {
  const OperationDetail& detail = program().details[operation];
  const std::size_t number = text_of(detail);
  if (number == source_.texts.size()) return detail.spelling;
  const std::string& text = source_.texts[number];
  const std::size_t line = line_starts_[number][detail.ptx_line - 1], found = text.find(detail.spelling, line);
  const std::size_t before = text.find_last_of(";{}\n", found);  // Inline PTX may have several in a line.
  const std::size_t begin = std::max(line, before == std::string::npos ? 0 : before + 1);
  std::string words;
  for (const char c : text.substr(begin, text.find(';', found) + 1 - begin)) {
    const bool is_space = std::isspace(static_cast<unsigned char>(c)) != 0;
    if (!is_space) words += c;
    if (is_space && !words.empty() && words.back() != ' ') words += ' ';
  }
  return words;
}

bool ModuleView::may_be_set(const std::string& name, std::uint32_t operation) const {
  const OperationDetail& detail = program().details[operation];
  auto known = register_lines_.find(detail.function);
  if (known == register_lines_.end()) {
    const std::size_t number = text_of(detail);
    if (number == source_.texts.size()) return true;
    const Function& function = program().functions[detail.function];
    std::uint32_t first = detail.ptx_line, last = first;
    for (std::uint32_t i = function.begin; i < function.end; ++i) {
      if (program().details[i].internal || program().details[i].ptx_line == 0) continue;
      first = std::min(first, program().details[i].ptx_line);
      last = std::max(last, program().details[i].ptx_line);
    }
    const std::vector<std::size_t>& starts = line_starts_[number];
    const std::size_t begin = starts[first - 1],
                      end = last < starts.size() ? starts[last] : source_.texts[number].size();
    const RegisterLines lines(std::string_view(source_.texts[number]).substr(begin, end - begin), first);
    known = register_lines_.emplace(detail.function, lines).first;
  }
  return known->second.may_be_set(name, detail.ptx_line);
}

bool ModuleView::has_variables() const {
  return std::any_of(units_.begin(), units_.end(), [](const auto& unit) { return !unit->functions.empty(); });
}

const Subprogram* ModuleView::subprogram(const std::string& linkage_name) const {
  for (const auto& unit : units_) {
    for (const Subprogram& function : unit->functions)
      if (function.linkage_name == linkage_name) return &function;
  }
  return nullptr;
}

const Variable* ModuleView::global(const std::string& name) const {
  for (const auto& unit : units_) {
    for (const Variable& variable : unit->globals)
      if (is_called(variable.name, name)) return &variable;
  }
  return nullptr;
}

std::vector<const Variable*> ModuleView::globals() const {
  std::vector<const Variable*> all;
  for (const auto& unit : units_)
    for (const Variable& variable : unit->globals) all.push_back(&variable);
  return all;
}

const Type* ModuleView::type_named(const std::string& name) const {
  for (const auto& unit : units_) {
    for (const Type& type : unit->types)
      if (!type.name.empty() && is_called(name, type.name) && type.kind != Type::Kind::function) return &type;
  }
  return nullptr;
}

const Type* ModuleView::declared_type(const std::string& symbol) const {
  for (const std::string& text : source_.texts) {
    for (std::size_t at = text.find(symbol); at != std::string::npos; at = text.find(symbol, at + 1)) {
      // ".global .align 4 .u32 counter[2];"
      const std::size_t line = text.rfind('\n', at) + 1, end = at + symbol.size();
      const std::string before = text.substr(line, at - line);
      const std::size_t dot = before.rfind('.');
      const bool is_whole = text[at - (at > 0 ? 1 : 0)] == ' ' && end < text.size() &&
                            std::string_view(" ;[=").find(text[end]) != std::string_view::npos;
      if (!is_whole || dot == std::string::npos || dot + 2 >= before.size() || before.find(';') != std::string::npos)
        continue;
      if (before.find(".global ") == std::string::npos && before.find(".const ") == std::string::npos) continue;
      const unsigned bytes = static_cast<unsigned>(std::strtoul(before.c_str() + dot + 2, nullptr, 10)) / 8;
      if (bytes == 0) continue;
      // nvcc declares every int as .u32.
      const Type* const one = before[dot + 1] == 'f' ? floating_type(bytes) : integer_type(bytes, bytes > 1);
      return text[end] == '[' ? array_of(one, std::strtoul(text.c_str() + end + 1, nullptr, 10)) : one;
    }
  }
  return nullptr;
}

std::optional<Value> ModuleView::enumerator(const std::string& name) const {
  for (const auto& unit : units_) {
    for (const Type& type : unit->types) {
      for (const auto& [known, value] : type.enumerators)
        if (is_called(known, name)) return integer_value(static_cast<std::uint64_t>(value), &type);
    }
  }
  return std::nullopt;
}

}  // namespace warpbook::simulator::debugger

// Reads and changes declarations in the PTX that NVIDIA's compilers write: each begins a line.
#include "common/simulator/compilers/kept_symbols.h"

#include <regex>
#include <set>
#include <sstream>

namespace warpbook::simulator::compilers {
namespace {

constexpr const char* kKernel = "warpbook_uses";

/// ".visible", "func" and "f" of ".visible .func (.param .b32 r) f("; empty for other lines.
struct Declaration {
  std::string linkage, kind, name;
};

Declaration declaration_in(const std::string& line) {
  static const auto* const form = new std::regex(
      R"(^(?:(\.extern|\.visible|\.weak)\s+)?\.(func|global|const)\s+(?:\([^)]*\)\s*)?(?:\.\w+\s+(?:\d+\s+)?)*([A-Za-z_$][\w$]*))");
  std::smatch found;
  if (line.empty() || line[0] != '.' || !std::regex_search(line, found, *form)) return {};
  return {found[1], found[2], found[3]};
}

/// The virtual GPU answers these itself.
bool is_of_device_runtime(const std::string& name) {
  static const auto* const names = new std::set<std::string>{"vprintf", "malloc", "free", "__assertfail"};
  return names->count(name) != 0 || name.rfind("cuda", 0) == 0;
}

}  // namespace

Symbols symbols_from_elsewhere(const std::vector<std::string>& ptx) {
  Symbols wanted, defined;
  for (const std::string& module : ptx) {
    std::istringstream lines(module);
    for (std::string line; std::getline(lines, line);) {
      const auto [linkage, kind, name] = declaration_in(line);
      if (linkage == ".extern" && !is_of_device_runtime(name)) wanted[name] = kind;
      if (linkage == ".visible" || linkage == ".weak") defined[name] = kind;
    }
  }
  for (const auto& [name, kind] : defined) wanted.erase(name);
  return wanted;
}

std::string source_that_uses(const Symbols& symbols) {
  std::string declarations, body;
  for (const auto& [name, kind] : symbols) {
    const std::string space = kind == "const" ? "__constant__" : "__device__";
    declarations += "extern \"C\" " + space + (kind == "func" ? " void " + name + "();\n" : " char " + name + "[];\n");
    body += "*p++ = (void*)" + name + "; ";
  }
  return declarations + "extern \"C\" __global__ void " + kKernel + "(void** p) { " + body + "}\n";
}

std::string with_visible(const Symbols& symbols, const std::string& ptx) {
  std::string result;
  std::istringstream lines(ptx);
  bool in_kernel = false;
  for (std::string line; std::getline(lines, line);) {
    in_kernel = in_kernel || line.rfind(std::string(".visible .entry ") + kKernel + "(", 0) == 0;
    const Declaration declaration = declaration_in(line);
    if (declaration.linkage.empty() && symbols.count(declaration.name) != 0) line.insert(0, ".visible ");
    if (!in_kernel) result += line + "\n";
    if (line == "}") in_kernel = false;
  }
  return result;
}

}  // namespace warpbook::simulator::compilers

// Demangles kernel names and writes types as Nsight Compute does.
#include "common/simulator/runtime/kernel_name.h"

#include <cxxabi.h>

#include <cstdlib>
#include <cstring>

namespace warpbook::simulator::runtime {
namespace {

bool opens(char c) { return c == '(' || c == '<' || c == '['; }
bool closes(char c) { return c == ')' || c == '>' || c == ']'; }

/// Where the argument list begins: the '(' that matches the last ')'.
std::size_t argument_list(const std::string& name) {
  const std::size_t end = name.rfind(')');
  if (end == std::string::npos) return std::string::npos;
  int depth = 0;
  for (std::size_t i = end + 1; i-- > 0;) {
    if (closes(name[i])) ++depth;
    if (opens(name[i]) && --depth == 0) return i;
  }
  return std::string::npos;
}

/// Removes the return type: the text before the last space outside brackets, ahead of the argument list.
void drop_return_type(std::string& name) {
  const std::size_t arguments = argument_list(name);
  if (arguments == std::string::npos) return;
  int depth = 0;
  std::size_t cut = 0;
  for (std::size_t i = 0; i < arguments; ++i) {
    if (opens(name[i])) ++depth;
    if (closes(name[i])) --depth;
    if (name[i] == ' ' && depth == 0) cut = i + 1;
  }
  if (name.compare(0, cut, "void ") == 0) name.erase(0, cut);
}

/// `float const*` becomes `const float*`: the word moves to the start of its type.
void move_const(std::string& name) {
  for (std::size_t at = name.find(" const"); at != std::string::npos; at = name.find(" const", at)) {
    int depth = 0;
    std::size_t start = at;
    for (; start > 0; --start) {
      const char c = name[start - 1];
      if (closes(c)) ++depth;
      if (opens(c) && depth-- == 0) break;
      if (depth == 0 && (c == ',' || c == '*' || c == '&')) break;
    }
    if (start > 0 && (name[start - 1] == '*' || name[start - 1] == '&')) {
      at += 6;  // a constant pointer: stays where it is
      continue;
    }
    while (start < at && name[start] == ' ') ++start;
    name.erase(at, 6);
    name.insert(start, "const ");
    at += 6;
  }
}

/// `float**` becomes `float **`.
void space_pointers(std::string& name) {
  for (std::size_t i = 1; i < name.size(); ++i) {
    const bool mark = name[i] == '*' || name[i] == '&';
    const char before = name[i - 1];
    if (mark && before != ' ' && before != '*' && before != '&' && before != '(') name.insert(i++, 1, ' ');
  }
}

/// Numba distinguishes versions of a function by tags, the last of which encodes the compile options, and replaces
/// characters that identifiers cannot have by their codes: `f[abi:v1][abi:cw51cX...](Array<...>)`,
/// `f::_3clocals_3e::g`.
void plain_numba(std::string& name) {
  constexpr const char* kTag = "[abi:cw";
  const std::size_t tag = name.find(kTag);
  if (tag == std::string::npos) return;
  const std::size_t version = name.rfind("[abi:v", tag);
  const std::size_t end = name.find(']', tag);
  if (version == std::string::npos || end == std::string::npos) return;
  name.erase(version, end + 1 - version);
  constexpr const char* kLocals = "_3clocals_3e";
  for (std::size_t at = name.find(kLocals); at != std::string::npos; at = name.find(kLocals, at))
    name.replace(at, std::strlen(kLocals), "<locals>");
}

/// GCC names an offloaded region after the function that contains it: "_Z5mergePhl$_omp_fn$0".
constexpr const char* kRegion = "$_omp_fn$";

}  // namespace

std::string kernel_name(const std::string& mangled) {
  if (const std::size_t region = mangled.rfind(kRegion); region != std::string::npos) {
    const std::string number = mangled.substr(region + std::string(kRegion).size());
    return kernel_name(mangled.substr(0, region)) + " [region " + number + "]";
  }
  // In relocatable device code, nvcc prefixes names that are local to a source file with the file's name.
  std::size_t begin = 0;
  if (mangled.rfind("__nv_static_", 0) == 0) begin = mangled.find("__Z") + 1;
  int status = 0;
  char* demangled = abi::__cxa_demangle(mangled.c_str() + begin, nullptr, nullptr, &status);
  if (demangled == nullptr) return mangled;
  std::string name = demangled;
  std::free(demangled);
  drop_return_type(name);
  move_const(name);
  space_pointers(name);
  plain_numba(name);
  return name;
}

std::string function_name(const std::string& kernel_name) {
  std::string name = kernel_name.substr(0, argument_list(kernel_name));
  if (!name.empty() && name.back() == '>') {
    int depth = 0;
    std::size_t at = name.size();
    while (at > 0) {
      --at;
      if (closes(name[at])) ++depth;
      if (opens(name[at]) && --depth == 0) break;
    }
    name.erase(at);
  }
  int depth = 0;
  for (std::size_t i = name.size(); i-- > 0;) {
    if (closes(name[i])) ++depth;
    if (opens(name[i])) --depth;
    if (depth == 0 && i > 0 && name[i] == ':' && name[i - 1] == ':') return name.substr(i + 1);
  }
  return name;
}

}  // namespace warpbook::simulator::runtime

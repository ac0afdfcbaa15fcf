// How the worker announces the arrays of a case, for libraries that know only addresses when they end the program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>

namespace warpbook::grader {

/// A line of stderr: "warpbook: array 'first' has 4096 bytes at 0x7f5a3c000000"
inline std::string array_line(const std::string& name, const void* address, std::size_t bytes) {
  std::ostringstream line;
  line << "warpbook: array '" << name << "' has " << bytes << " bytes at 0x" << std::hex
       << reinterpret_cast<std::uintptr_t>(address);
  return line.str();
}

}  // namespace warpbook::grader

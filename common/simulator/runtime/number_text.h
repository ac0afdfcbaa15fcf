// Numbers as messages write them.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>

namespace warpbook::simulator::runtime {

/// "0x7f"
inline std::string hexadecimal(std::uint64_t value) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

/// "(3,0,0)"
inline std::string triple(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  return "(" + std::to_string(x) + "," + std::to_string(y) + "," + std::to_string(z) + ")";
}

}  // namespace warpbook::simulator::runtime

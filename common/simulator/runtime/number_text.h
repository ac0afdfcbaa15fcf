// Formats numbers for messages.
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

/// "1st", "2nd", "12th"
inline std::string ordinal(std::uint64_t n) {
  const bool teen = n % 100 >= 11 && n % 100 <= 13;
  const char* suffix = teen ? "th" : n % 10 == 1 ? "st" : n % 10 == 2 ? "nd" : n % 10 == 3 ? "rd" : "th";
  return std::to_string(n) + suffix;
}

}  // namespace warpbook::simulator::runtime

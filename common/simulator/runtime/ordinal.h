// Numbers in words: 1st, 2nd, 3rd.
#pragma once

#include <cstdint>
#include <string>

namespace warpbook::simulator::runtime {

inline std::string ordinal(std::uint64_t n) {
  const bool teen = n % 100 >= 11 && n % 100 <= 13;
  const char* suffix = teen ? "th" : n % 10 == 1 ? "st" : n % 10 == 2 ? "nd" : n % 10 == 3 ? "rd" : "th";
  return std::to_string(n) + suffix;
}

}  // namespace warpbook::simulator::runtime

// The DWARF of a PTX text, as nvcc -G writes it: from lists of numbers, labels and symbols to bytes.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace warpbook::simulator::debugger {

/// Where a label of the code is, in these sections: this and its line in the text.
constexpr std::uint64_t kLineBase = 0x1000;
/// Where symbol i is: this and i times kSymbolBytes. No addend leads from one to the next.
constexpr std::uint64_t kSymbolBase = std::uint64_t{1} << 48, kSymbolBytes = std::uint64_t{1} << 32;

struct DebugSections {
  std::map<std::string, std::vector<std::uint8_t>> bytes;  ///< ".debug_info"
  std::vector<std::string> symbols;
};

/// @returns empty sections for a text without
/// @throws ptx::ParseError for what no section may hold
DebugSections read_debug_sections(std::string_view ptx);

}  // namespace warpbook::simulator::debugger

// The DWARF in a PTX text, as nvcc -G writes it: from lists of numbers, labels and symbols to bytes.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace warpbook::simulator::debugger {

/// The address of a code label in these sections: this plus its line in the text.
constexpr std::uint64_t kLineBase = 0x1000;
/// The address of symbol i: this plus i times kSymbolBytes, so far apart that no addend reaches the next one.
constexpr std::uint64_t kSymbolBase = std::uint64_t{1} << 48, kSymbolBytes = std::uint64_t{1} << 32;

struct DebugSections {
  std::map<std::string, std::vector<std::uint8_t>> bytes;  ///< ".debug_info"
  std::vector<std::string> symbols;
};

/// @returns empty sections for a text without debug information
/// @throws ptx::ParseError for anything that a section must not contain
DebugSections read_debug_sections(std::string_view ptx);

}  // namespace warpbook::simulator::debugger

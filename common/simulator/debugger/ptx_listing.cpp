// Lists instructions.
#include "common/simulator/debugger/ptx_listing.h"

#include <cstdio>

#include "common/simulator/debugger/stop_text.h"

namespace warpbook::simulator::debugger {

std::vector<std::uint32_t> instructions_from(const Program& program, std::uint64_t from, std::size_t most) {
  std::vector<std::uint32_t> found;
  for (std::uint64_t i = from; i < program.details.size() && found.size() < most; ++i)
    if (!program.details[i].internal) found.push_back(static_cast<std::uint32_t>(i));
  return found;
}

std::string symbol_of(const ModuleView& module, std::uint32_t operation) {
  const std::uint32_t function = module.program().details[operation].function;
  return module.lines().name(function) + "+" + std::to_string(operation - module.program().functions[function].begin);
}

std::string listing_text(const ModuleView& module, const std::vector<std::uint32_t>& operations, std::uint32_t at,
                         bool with_source) {
  const std::vector<std::uint32_t> next = instructions_from(module.program(), at, 1);
  std::string text;
  CodePlace last;
  for (const std::uint32_t operation : operations) {
    const CodePlace place = module.lines().place_of(operation);
    if (with_source && place.file != nullptr && (place.file != last.file || place.line != last.line)) {
      if (place.file != last.file) text += *place.file + ":\n";
      text += source_text(*place.file, place.line, place.line);
      last = place;
    }
    char address[32];
    std::snprintf(address, sizeof address, "0x%x", operation);
    text += (!next.empty() && next.front() == operation ? "=> " : "   ") + std::string(address) + " <" +
            symbol_of(module, operation) + ">:\t" + module.instruction(operation) + "\n";
  }
  return text;
}

}  // namespace warpbook::simulator::debugger

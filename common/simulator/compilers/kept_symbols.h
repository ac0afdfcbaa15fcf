// Functions and variables in LTO-IR that only PTX inputs of the same link use.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace warpbook::simulator::compilers {

/// By name: "func", "global" or "const".
using Symbols = std::map<std::string, std::string>;

/// What @p ptx declares as external and does not define, without functions of the device runtime.
Symbols symbols_from_elsewhere(const std::vector<std::string>& ptx);

/// Source of a kernel that uses @p symbols, so that link-time optimisation keeps them.
std::string source_that_uses(const Symbols& symbols);

/// The PTX of a link with that kernel: without it, and with @p symbols visible to other modules.
std::string with_visible(const Symbols& symbols, const std::string& ptx);

}  // namespace warpbook::simulator::compilers

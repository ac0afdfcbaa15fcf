// Lines of source files, for messages.
#pragma once

#include <cstdint>
#include <string>

namespace warpbook::simulator::runtime {

/// Line @p number of the file at @p path, counted from 1, without leading and trailing white space; empty if it cannot
/// be read. A file is read once. Called with the runtime's lock held.
std::string source_text(const std::string& path, std::uint32_t number);

}  // namespace warpbook::simulator::runtime

// The system is about to use the program's memory.
#pragma once

#include <cstddef>

namespace warpbook::simulator::runtime {

/// The system is about to read or write [@p pointer, @p pointer + @p bytes) for the program.
[[gnu::access(none, 1)]] void use_on_host(const void* pointer, std::size_t bytes, bool write);

}  // namespace warpbook::simulator::runtime

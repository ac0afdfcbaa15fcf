// Memory that other processes write, too (ipc.cpp).
#pragma once

#include <cstdint>

namespace warpbook::simulator::runtime {

class Runtime;

/// Nothing is known here of what other processes write to these bytes: they count as defined.
void count_as_defined(Runtime& runtime, std::uint64_t address, std::uint64_t bytes);

}  // namespace warpbook::simulator::runtime

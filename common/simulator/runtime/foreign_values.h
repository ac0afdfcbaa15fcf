// Memory that other processes write too (ipc.cpp).
#pragma once

#include <cstdint>

namespace warpbook::simulator::runtime {

class Runtime;

/// What other processes write to these bytes is not tracked: the bytes count as initialised.
void count_as_defined(Runtime& runtime, std::uint64_t address, std::uint64_t bytes);

}  // namespace warpbook::simulator::runtime

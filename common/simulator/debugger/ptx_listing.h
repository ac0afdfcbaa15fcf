// PTX instructions as text: for x/i, disassemble, and the request of that name.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/simulator/debugger/module_view.h"

namespace warpbook::simulator::debugger {

/// The first @p most instructions from operation @p from on, without those that the decoder has added.
std::vector<std::uint32_t> instructions_from(const Program& program, std::uint64_t from, std::size_t most);

/// "sums+12"
std::string symbol_of(const ModuleView& module, std::uint32_t operation);

/// A line for each, "=> 0x2a <sums+12>:\tld.param.u64 %rd1, [sums_param_0];". @param at marked with =>: the operation
/// that is executed next @param with_source each source line is above its instructions
std::string listing_text(const ModuleView& module, const std::vector<std::uint32_t>& operations, std::uint32_t at,
                         bool with_source);

}  // namespace warpbook::simulator::debugger

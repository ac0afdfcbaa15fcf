// From the words of an instruction ("global", "v4", "f32") to the fields of Modifiers.
#pragma once

#include <optional>
#include <string_view>

#include "common/simulator/ptx/types.h"

namespace warpbook::simulator::ptx {

/// The type called @p word (without the dot), or Type::none.
Type parse_type(std::string_view word);

/// The state space called @p word: "shared", "shared::cta", "const", ...
std::optional<Space> parse_space(std::string_view word);

/// Stores @p word in @p modifiers; a word with two meanings sets both fields. If there are two state spaces, the first
/// one is kept.
/// @return false if no field holds it ("L2::128B"): such words only select the row of the table.
bool add_modifier(std::string_view word, Modifiers& modifiers);

}  // namespace warpbook::simulator::ptx

// Makes an answer's output safe for terminals, tables and pages.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace warpbook::grader {

/// The text with '?' for control characters (except line feeds and tabs) and for characters that change the direction
/// of writing. A longer one is cut after `most` bytes, never within a character, and ends with "...".
std::string plain_text(std::string_view text, std::size_t most);

}  // namespace warpbook::grader

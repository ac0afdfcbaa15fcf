// What an answer says, made fit for terminals, tables and pages.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace warpbook::grader {

/// The text with '?' for control characters (but for line feeds and tabs) and for characters that turn the direction of
/// writing. A longer one is cut after `most` bytes, never within a character, and ends with "...".
std::string plain_text(std::string_view text, std::size_t most);

}  // namespace warpbook::grader

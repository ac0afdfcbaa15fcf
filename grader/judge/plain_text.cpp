// Replaces characters that are not plain text.
#include "grader/judge/plain_text.h"

namespace warpbook::grader {

namespace {

unsigned char byte_at(std::string_view text, std::size_t at) {
  return at < text.size() ? static_cast<unsigned char>(text[at]) : 0;
}

/// U+202A to U+202E, U+2066 to U+2069 and the controls U+0080 to U+009F, which take two or three bytes in UTF-8.
/// @returns bytes of such a character, or 0
std::size_t command_at(std::string_view text, std::size_t at) {
  const unsigned char first = byte_at(text, at), second = byte_at(text, at + 1), third = byte_at(text, at + 2);
  if (first == 0xc2 && second >= 0x80 && second <= 0x9f) return 2;
  if (first != 0xe2) return 0;
  if (second == 0x80 && third >= 0xaa && third <= 0xae) return 3;
  return second == 0x81 && third >= 0xa6 && third <= 0xa9 ? 3 : 0;
}

}  // namespace

std::string plain_text(std::string_view text, std::size_t most) {
  std::size_t end = text.size();
  if (end > most) {
    end = most;
    while (end > 0 && (byte_at(text, end) & 0xc0) == 0x80) --end;
  }
  std::string result;
  for (std::size_t at = 0; at < end;) {
    if (const std::size_t bytes = command_at(text, at)) {
      result += '?';
      at += bytes;
      continue;
    }
    const char c = text[at++];
    const bool control = (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') || c == 0x7f;
    result += control ? '?' : c;
  }
  return end < text.size() ? result + "..." : result;
}

}  // namespace warpbook::grader

// Writes JSON as text.
#include "common/simulator/runtime/json_text.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

namespace warpbook::simulator::runtime {
namespace {

template <class T>
void append(std::string& text, T value) {
  char digits[24];
  text.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

bool is_plain(char c) { return c >= ' ' && c < '\x7f' && c != '"' && c != '\\'; }

}  // namespace

void JsonText::new_line() {
  if (indent_ < 0) return;
  text_ += '\n';
  text_.append(static_cast<std::size_t>(indent_) * static_cast<std::size_t>(level_), ' ');
}

void JsonText::begin(char bracket) {
  text_ += bracket;
  ++level_;
  first_ = true;
}

void JsonText::end(char bracket) {
  --level_;
  if (!first_) new_line();
  text_ += bracket;
  first_ = false;
}

void JsonText::separate() {
  if (!first_) text_ += ',';
  first_ = false;
  new_line();
}

void JsonText::key(std::string_view name) {
  separate();
  string(name);
  text_ += indent_ < 0 ? ":" : ": ";
}

void JsonText::integer(std::int64_t value) { append(text_, value); }
void JsonText::integer(std::uint64_t value) { append(text_, value); }

void JsonText::number(double value) {
  if (!std::isfinite(value)) return null();
  const double rounded = rounded_for_json(value);
  if (const auto whole = whole_number(rounded)) return integer(*whole);
  if (std::fabs(rounded) < 1e-4 || std::fabs(rounded) > 1e8) {  // Has an exponent, or may have more than 15 digits.
    text_ += nlohmann::json(rounded).dump();
    return;
  }
  const auto millionths = static_cast<std::int64_t>(std::llround(std::fabs(rounded) * 1e6));
  if (rounded < 0) text_ += '-';
  integer(millionths / 1000000);
  std::string digits = std::to_string(1000000 + millionths % 1000000);  // "1" and the six digits
  digits[0] = '.';
  text_ += std::string_view(digits).substr(0, digits.find_last_not_of('0') + 1);
}

void JsonText::string(std::string_view value) {
  if (!std::all_of(value.begin(), value.end(), is_plain)) {
    text_ += nlohmann::json(value).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    return;
  }
  text_ += '"';
  text_ += value;
  text_ += '"';
}

void JsonText::json(std::string_view value) {
  for (const char c : value) {  // A line feed in a string would be escaped.
    text_ += c;
    if (c == '\n') text_.append(static_cast<std::size_t>(indent_) * static_cast<std::size_t>(level_), ' ');
  }
}

}  // namespace warpbook::simulator::runtime

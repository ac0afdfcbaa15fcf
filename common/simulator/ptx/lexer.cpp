// PTX text to tokens, in one pass over the characters with a table of character classes.
#include "common/simulator/ptx/lexer.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>

#include "common/simulator/ptx/parser.h"

namespace warpbook::simulator::ptx {
namespace {

enum CharClass : std::uint8_t { kLetter = 1, kDigit = 2, kBlank = 4, kHex = 8 };

constexpr std::array<std::uint8_t, 256> make_classes() {
  std::array<std::uint8_t, 256> classes{};
  for (int c = 'a'; c <= 'z'; ++c) classes[c] = classes[c - 'a' + 'A'] = kLetter;
  for (int c = 'a'; c <= 'f'; ++c) classes[c] = classes[c - 'a' + 'A'] = kLetter | kHex;
  for (int c = '0'; c <= '9'; ++c) classes[c] = kDigit | kHex;
  classes['_'] = classes['$'] = kLetter;
  for (char c : {' ', '\t', '\r', '\n', '\f', '\v'}) classes[static_cast<unsigned char>(c)] = kBlank;
  return classes;
}

constexpr std::array<std::uint8_t, 256> kClasses = make_classes();

bool has_class(char c, unsigned wanted) { return (kClasses[static_cast<unsigned char>(c)] & wanted) != 0; }

const char* skip_class(const char* from, const char* end, unsigned wanted) {
  while (from != end && has_class(*from, wanted)) ++from;
  return from;
}

/// The first brace, quotation mark or slash, or @p end: what the rest of a block is skipped up to, eight characters at
/// a time.
const char* skip_to_mark(const char* from, const char* end) {
  constexpr std::uint64_t kOnes = 0x0101010101010101, kHighs = 0x80 * kOnes;
  const auto has_zero = [](std::uint64_t word) { return ((word - kOnes) & ~word & kHighs) != 0; };
  const auto may_hold_mark = [&](const char* eight) {
    std::uint64_t word;
    std::memcpy(&word, eight, sizeof word);
    // '{' | 6 and '}' | 6 are 0x7f; so is 'y' | 6, which is no mark.
    return has_zero(word ^ ('"' * kOnes)) || has_zero(word ^ ('/' * kOnes)) ||
           has_zero((word | 6 * kOnes) ^ (0x7f * kOnes));
  };
  while (from != end) {
    while (end - from >= 8 && !may_hold_mark(from)) from += 8;
    const char* const stop = end - from >= 8 ? from + 8 : end;
    for (; from != stop; ++from)
      if (*from == '{' || *from == '}' || *from == '"' || *from == '/') return from;
  }
  return end;
}

constexpr unsigned kWordCharacter = kLetter | kDigit;
constexpr std::string_view kSymbols = ",;:()[]{}@!|+-=<>~*/%&^?";

}  // namespace

std::string describe(const Token& token) {
  switch (token.kind) {
    case Token::Kind::end:
      return "the end of the text";
    case Token::Kind::dotted:
      return std::string("'.").append(token.text).append("'");
    case Token::Kind::string:
      return std::string("\"").append(token.text).append("\"");
    default:
      return std::string("'").append(token.text).append("'");
  }
}

bool Lexer::skip_blanks() {
  const char* const start = next_;
  while (next_ != end_) {
    if (*next_ == '\n') {
      ++line_;
      ++next_;
    } else if (has_class(*next_, kBlank)) {
      ++next_;
    } else if (*next_ == '/' && end_ - next_ > 1 && next_[1] == '/') {
      while (next_ != end_ && *next_ != '\n') ++next_;
    } else if (*next_ == '/' && end_ - next_ > 1 && next_[1] == '*') {
      const std::uint32_t opened = line_;
      next_ += 2;
      while (end_ - next_ > 1 && !(next_[0] == '*' && next_[1] == '/')) line_ += *next_++ == '\n';
      if (end_ - next_ < 2) throw ParseError(opened, "expected '*/' to close this comment, found the end of the text");
      next_ += 2;
    } else {
      break;
    }
  }
  return next_ != start;
}

Token Lexer::next() {
  Token token;
  token.glued = !skip_blanks();
  token.line = line_;
  if (next_ == end_) {
    token.text = std::string_view(end_, end_);
    return token;
  }

  const char* const start = next_;
  const char c = *start;
  const bool word_follows = end_ - start > 1 && has_class(start[1], kWordCharacter);
  if (has_class(c, kDigit)) {
    lex_number(token);
  } else if (has_class(c, kLetter) || (c == '%' && word_follows && !after_value_)) {
    token.kind = Token::Kind::word;
    next_ = skip_class(start + 1, end_, kWordCharacter);
    token.text = std::string_view(start, next_ - start);
  } else if (c == '.' && word_follows) {
    token.kind = Token::Kind::dotted;
    next_ = skip_class(start + 1, end_, kWordCharacter);
    while (end_ - next_ > 2 && next_[0] == ':' && next_[1] == ':' && has_class(next_[2], kWordCharacter)) {
      next_ = skip_class(next_ + 2, end_, kWordCharacter);
    }
    token.text = std::string_view(start + 1, next_ - start - 1);
  } else if (c == '"') {
    lex_string(token);
  } else if (kSymbols.find(c) != std::string_view::npos) {
    token.kind = Token::Kind::symbol;
    token.symbol = c;
    token.text = std::string_view(start, 1);
    ++next_;
  } else {
    const auto code = static_cast<unsigned char>(c);
    const bool printable = code > 32 && code < 127;
    throw ParseError(line_, "expected a PTX token, found " +
                                (printable ? "'" + std::string(1, c) + "'" : "character " + std::to_string(code)));
  }
  after_value_ = token.kind == Token::Kind::integer || token.is(')');
  return token;
}

std::string_view Lexer::skip_block(const Token& open) {
  const char* const start = open.text.data();
  next_ = start;
  line_ = open.line;
  after_value_ = false;
  for (unsigned depth = 0; next_ != end_;) {
    const char* const from = next_;
    next_ = skip_to_mark(from, end_);
    line_ += static_cast<std::uint32_t>(std::count(from, next_, '\n'));
    if (next_ == end_) break;
    if (*next_ == '"') {
      Token string;
      lex_string(string);
      continue;
    }
    if (starts_comment()) {
      skip_blanks();
      continue;
    }
    const char c = *next_++;
    depth += c == '{';
    if (c == '}' && --depth == 0) return {start, static_cast<std::size_t>(next_ - start)};
  }
  throw ParseError(open.line, "expected '}' to close this, found the end of the text");
}

void Lexer::lex_string(Token& token) {
  const char* const start = ++next_;
  while (next_ != end_ && *next_ != '"' && *next_ != '\n') next_ += *next_ == '\\' && end_ - next_ > 1 ? 2 : 1;
  if (next_ == end_ || *next_ != '"') throw ParseError(line_, "expected '\"' to close this string");
  token.kind = Token::Kind::string;
  token.text = std::string_view(start, next_ - start);
  ++next_;
}

void Lexer::lex_bits_of_float(Token& token, unsigned digits) {
  const char* const start = next_;
  next_ = skip_class(start + 2, end_, kWordCharacter);
  token.text = std::string_view(start, next_ - start);
  token.kind = digits == 8 ? Token::Kind::float32 : Token::Kind::float64;
  const auto [stop, error] = std::from_chars(start + 2, next_, token.bits, 16);
  if (token.text.size() != digits + 2 || stop != next_ || error != std::errc()) {
    throw ParseError(line_, "expected " + std::to_string(digits) + " hexadecimal digits after '" +
                                std::string(token.text.substr(0, 2)) + "', found '" + std::string(token.text) + "'");
  }
}

void Lexer::lex_number(Token& token) {
  const char* const start = next_;
  const char prefix = end_ - start > 2 && *start == '0' ? start[1] : '\0';
  if ((prefix == 'f' || prefix == 'F') && has_class(start[2], kHex)) return lex_bits_of_float(token, 8);
  if ((prefix == 'd' || prefix == 'D') && has_class(start[2], kHex)) return lex_bits_of_float(token, 16);

  const bool hexadecimal = prefix == 'x' || prefix == 'X';
  const bool binary = prefix == 'b' || prefix == 'B';
  if (!hexadecimal && !binary) {  // A decimal fraction or exponent: a 64-bit float.
    const char* stop = skip_class(start, end_, kDigit);
    const bool fraction = end_ - stop > 1 && *stop == '.' && has_class(stop[1], kDigit);
    if (fraction) stop = skip_class(stop + 1, end_, kDigit);
    bool exponent = false;
    if (stop != end_ && (*stop == 'e' || *stop == 'E')) {
      const char* digits = stop + 1;
      if (digits != end_ && (*digits == '+' || *digits == '-')) ++digits;
      exponent = digits != end_ && has_class(*digits, kDigit);
      if (exponent) stop = skip_class(digits, end_, kDigit);
    }
    if (fraction || exponent) {
      double value = 0;
      const auto [parsed, error] = std::from_chars(start, stop, value);
      next_ = stop;
      token.kind = Token::Kind::float64;
      token.text = std::string_view(start, stop - start);
      if (error != std::errc() || parsed != stop) {
        throw ParseError(line_, "expected a number that a 64-bit float holds, found '" + std::string(token.text) + "'");
      }
      token.bits = std::bit_cast<std::uint64_t>(value);
      return;
    }
  }

  next_ = skip_class(start, end_, kWordCharacter);
  token.kind = Token::Kind::integer;
  token.text = std::string_view(start, next_ - start);
  const char* stop = next_;
  if (stop[-1] == 'U' || stop[-1] == 'u') {
    token.is_unsigned = true;
    --stop;
  }
  const bool octal = !hexadecimal && !binary && *start == '0' && stop - start > 1;
  const int base = hexadecimal ? 16 : binary ? 2 : octal ? 8 : 10;
  const char* const digits = start + (hexadecimal || binary ? 2 : octal ? 1 : 0);
  const auto [parsed, error] = std::from_chars(digits, stop, token.bits, base);
  if (error != std::errc() || parsed != stop) {
    throw ParseError(line_, "expected a 64-bit integer, found '" + std::string(token.text) + "'");
  }
  if (token.bits >> 63) token.is_unsigned = true;
}

}  // namespace warpbook::simulator::ptx

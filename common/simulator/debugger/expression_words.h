// The tokens of expressions: names, numbers and operators.
#pragma once

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string>
#include <string_view>
#include <vector>

#include "common/simulator/debugger/value.h"

namespace warpbook::simulator::debugger {

/// A token.
struct Word {
  enum class Kind : std::uint8_t { end, name, special, number, sign };
  Kind kind = Kind::end;
  std::string text;
  Value value;
};

/// Operators; a longer one comes before its prefix.
inline constexpr std::string_view kSigns[] = {"<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "->", "+",
                                              "-",  "*",  "/",  "%",  "&",  "|",  "^",  "!",  "~",  "<",
                                              ">",  "?",  ":",  "(",  ")",  "[",  "]",  ".",  "@",  ","};

inline bool starts_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
inline bool in_name(char c) { return starts_name(c) || std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// The tokens of an expression, one after another.
class Words {
 public:
  explicit Words(std::string_view text) : text_(text) {
    while (skip()) words_.push_back(read());
    words_.emplace_back();
  }
  const Word& now(std::size_t ahead = 0) const { return words_[std::min(at_ + ahead, words_.size() - 1)]; }
  Word take() { return words_[std::min(at_++, words_.size() - 1)]; }
  bool is(std::string_view sign, std::size_t ahead = 0) const {
    return now(ahead).kind == Word::Kind::sign && now(ahead).text == sign;
  }
  bool accept(std::string_view sign) {
    if (!is(sign)) return false;
    ++at_;
    return true;
  }

 private:
  bool skip() {
    while (next_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[next_])) != 0) ++next_;
    return next_ < text_.size();
  }
  Word read() {
    const char c = text_[next_];
    const char after = next_ + 1 < text_.size() ? text_[next_ + 1] : '\0';
    if (starts_name(c)) return name();
    if (c == '$') {
      ++next_;
      Word word{Word::Kind::special, "", {}};
      while (next_ < text_.size() && (in_name(text_[next_]) || text_[next_] == '%')) word.text += text_[next_++];
      return word;
    }
    if (c == '%' && starts_name(after) && (words_.empty() || words_.back().kind == Word::Kind::sign) &&
        (words_.empty() || (words_.back().text != ")" && words_.back().text != "]"))) {
      ++next_;  // "%r1", as in PTX.
      Word word = name();
      word.kind = Word::Kind::special;
      return word;
    }
    if (std::isdigit(static_cast<unsigned char>(c)) != 0 ||
        (c == '.' && std::isdigit(static_cast<unsigned char>(after)) != 0))
      return number();
    if (c == '\'') return character();
    for (const std::string_view sign : kSigns) {
      if (text_.substr(next_, sign.size()) != sign) continue;
      next_ += sign.size();
      return {Word::Kind::sign, std::string(sign), {}};
    }
    if (c == '=') throw EvaluationError("Values cannot be changed; a comparison is written ==.");
    throw EvaluationError("Invalid character '" + std::string(1, c) + "' in expression.");
  }
  Word name() {
    Word word{Word::Kind::name, "", {}};
    while (next_ < text_.size() && (in_name(text_[next_]) || text_.substr(next_, 2) == "::")) {
      if (text_[next_] == ':') word.text += text_[next_++];
      word.text += text_[next_++];
    }
    return word;
  }
  Word number() {
    const char* const begin = text_.data() + next_;
    const char* const end = text_.data() + text_.size();
    const bool hexadecimal = text_.substr(next_, 2) == "0x" || text_.substr(next_, 2) == "0X";
    std::uint64_t whole = 0;
    const bool octal =
        !hexadecimal && *begin == '0' && begin + 1 != end && std::isdigit(static_cast<unsigned char>(begin[1])) != 0;
    auto read = std::from_chars(begin + (hexadecimal ? 2 : 0), end, whole, hexadecimal ? 16 : octal ? 8 : 10);
    Word word{Word::Kind::number, "", {}};
    const bool fraction = !hexadecimal && read.ptr != end && (*read.ptr == '.' || *read.ptr == 'e' || *read.ptr == 'E');
    if (fraction || (!hexadecimal && *begin == '.')) {
      Number number;
      number.is_floating = true;
      number.type = floating_type(8);
      read = std::from_chars(begin, end, number.floating);
      if (read.ptr != end && (*read.ptr == 'f' || *read.ptr == 'F')) {
        number.type = floating_type(4);
        ++read.ptr;
      }
      word.value = value_of(number);
    } else {
      bool is_unsigned = false, is_long = whole > 0x7fffffff;
      while (read.ptr != end && std::string_view("uUlL").find(*read.ptr) != std::string_view::npos) {
        (*read.ptr == 'u' || *read.ptr == 'U' ? is_unsigned : is_long) = true;
        ++read.ptr;
      }
      word.value = integer_value(whole, integer_type(is_long ? 8 : 4, !is_unsigned));
    }
    if (read.ec != std::errc() || (read.ptr != end && in_name(*read.ptr)))
      throw EvaluationError("Invalid number \"" + std::string(begin, end) + "\".");
    next_ = static_cast<std::size_t>(read.ptr - text_.data());
    return word;
  }
  Word character() {
    const std::string_view rest = text_.substr(next_);
    std::size_t size = 3;
    char c = rest.size() > 1 ? rest[1] : '\0';
    if (c == '\\' && rest.size() > 2) {
      size = 4;
      c = rest[2] == 'n' ? '\n' : rest[2] == 't' ? '\t' : rest[2] == '0' ? '\0' : rest[2];
    }
    if (rest.size() < size || rest[size - 1] != '\'') throw EvaluationError("Unmatched single quote.");
    next_ += size;
    return {Word::Kind::number, "", integer_value(static_cast<unsigned char>(c), integer_type(1, true))};
  }

  std::string_view text_;
  std::size_t next_ = 0, at_ = 0;
  std::vector<Word> words_;
};

}  // namespace warpbook::simulator::debugger

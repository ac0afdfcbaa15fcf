// PTX text to tokens, on demand and without copying: a token's text is a view into the module.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace warpbook::simulator::ptx {

struct Token {
  enum class Kind : std::uint8_t {
    end,
    word,     ///< An identifier or opcode: "ld", "%r1", "$L__BB0_2", "_"
    dotted,   ///< A directive or modifier; `text` is without the dot: "global", "L2::128B"
    integer,  ///< bits; is_unsigned
    float32,  ///< 0f3F800000: bits, in the low half
    float64,  ///< 0d3FF0000000000000, 1.5: bits
    string,   ///< `text` is without the quotes
    symbol,   ///< One character of punctuation
  };
  Kind kind = Kind::end;
  char symbol = '\0';        ///< Only for Kind::symbol.
  bool is_unsigned = false;  ///< An integer with suffix U, or too large for 64 signed bits.
  bool glued = false;        ///< No white space before it: two such '<' form "<<".
  std::uint32_t line = 1;
  std::string_view text;
  std::uint64_t bits = 0;

  bool is(char c) const { return kind == Kind::symbol && symbol == c; }
  bool is_word(std::string_view word) const { return kind == Kind::word && text == word; }
  bool is_dotted(std::string_view word) const { return kind == Kind::dotted && text == word; }
};

/// The name of a token in error messages: "'}'", "the end of the text".
std::string describe(const Token& token);

class Lexer {
 public:
  explicit Lexer(std::string_view text) : next_(text.data()), end_(text.data() + text.size()) {}

  /// The next token; at the end of the text always Kind::end. @throws ParseError
  Token next();

  /// Continues after the '}' that closes @p open, a '{'. @returns the text from brace to brace. @throws ParseError
  std::string_view skip_block(const Token& open);

 private:
  /// Skips white space and comments; true if there was any.
  bool skip_blanks();
  bool starts_comment() const { return *next_ == '/' && end_ - next_ > 1 && (next_[1] == '/' || next_[1] == '*'); }
  void lex_number(Token& token);
  void lex_bits_of_float(Token& token, unsigned digits);
  void lex_string(Token& token);

  const char* next_;
  const char* end_;
  std::uint32_t line_ = 1;
  bool after_value_ = false;  ///< The last token ended a value, so '%' is the remainder operator.
};

}  // namespace warpbook::simulator::ptx

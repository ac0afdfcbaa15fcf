// Tests of the lexer: kinds of token, literals, comments and lines.
#include "common/simulator/ptx/lexer.h"

#include <bit>
#include <vector>

#include "common/simulator/ptx/parser.h"
#include "common/testing/catch.h"

namespace warpbook::simulator::ptx {
namespace {

std::vector<Token> lex(std::string_view text) {
  Lexer lexer(text);
  std::vector<Token> tokens;
  do {
    tokens.push_back(lexer.next());
  } while (tokens.back().kind != Token::Kind::end);
  return tokens;
}

Token only(std::string_view text) {
  const std::vector<Token> tokens = lex(text);
  REQUIRE(tokens.size() == 2);
  return tokens[0];
}

std::string error_of(std::string_view text) {
  try {
    lex(text);
  } catch (const ParseError& error) {
    return error.what();
  }
  return "no error";
}

TEST_CASE("words, modifiers, symbols and strings are distinguished") {
  const std::vector<Token> tokens = lex("@!%p1 ld.global.L2::128B %r1, [$L_0+4]; \"a \\\" b\"");
  const std::vector<std::pair<Token::Kind, std::string>> expected = {
      {Token::Kind::symbol, "@"},  {Token::Kind::symbol, "!"},      {Token::Kind::word, "%p1"},
      {Token::Kind::word, "ld"},   {Token::Kind::dotted, "global"}, {Token::Kind::dotted, "L2::128B"},
      {Token::Kind::word, "%r1"},  {Token::Kind::symbol, ","},      {Token::Kind::symbol, "["},
      {Token::Kind::word, "$L_0"}, {Token::Kind::symbol, "+"},      {Token::Kind::integer, "4"},
      {Token::Kind::symbol, "]"},  {Token::Kind::symbol, ";"},      {Token::Kind::string, "a \\\" b"},
      {Token::Kind::end, ""},
  };
  REQUIRE(tokens.size() == expected.size());
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    CAPTURE(i);
    CHECK(tokens[i].kind == expected[i].first);
    CHECK(tokens[i].text == expected[i].second);
  }
}

TEST_CASE("a label's colon is not part of a modifier") {
  const std::vector<Token> tokens = lex(".pragma: a::b");
  CHECK(tokens[0].is_dotted("pragma"));
  CHECK(tokens[1].is(':'));
  CHECK(tokens[2].is_word("a"));
}

TEST_CASE("integer literals of every base") {
  CHECK(only("42").bits == 42);
  CHECK(only("0").bits == 0);
  CHECK(only("0x1fFf").bits == 0x1fff);
  CHECK(only("0XFF").bits == 0xff);
  CHECK(only("017").bits == 15);
  CHECK(only("0b1011").bits == 11);
  CHECK(only("4294967295U").is_unsigned);
  CHECK(only("0x7fffffffffffffff").is_unsigned == false);
  CHECK(only("0xFFFFFFFFFFFFFFFF").is_unsigned);
  CHECK(only("18446744073709551615").bits == ~std::uint64_t{0});
}

TEST_CASE("floating-point literals keep their bits") {
  CHECK(only("0f3F800000").kind == Token::Kind::float32);
  CHECK(only("0f3F800000").bits == 0x3f800000u);
  CHECK(only("0F7fc00001").bits == 0x7fc00001u);
  CHECK(only("0d3FF0000000000000").kind == Token::Kind::float64);
  CHECK(only("0dFFF8000000000001").bits == 0xfff8000000000001u);
  CHECK(std::bit_cast<double>(only("1.5").bits) == 1.5);
  CHECK(std::bit_cast<double>(only("25e-2").bits) == 0.25);
}

TEST_CASE("comments are skipped and lines are counted") {
  const std::vector<Token> tokens = lex("a // x\n/* y\n z */ b\n\nc");
  REQUIRE(tokens.size() == 4);
  CHECK(tokens[0].line == 1);
  CHECK(tokens[1].line == 3);
  CHECK(tokens[2].line == 5);
}

TEST_CASE("a percent sign after a value is the remainder operator") {
  CHECK(lex("(7 %a)")[2].is('%'));
  CHECK(lex(", %a")[1].is_word("%a"));
}

TEST_CASE("text that is not a token is refused with its line") {
  CHECK(error_of("\n\n#") == "ptx line 3: expected a PTX token, found '#'");
  CHECK(error_of("\x01") == "ptx line 1: expected a PTX token, found character 1");
  CHECK(error_of("/* open") == "ptx line 1: expected '*/' to close this comment, found the end of the text");
  CHECK(error_of("\"open\n\"") == "ptx line 1: expected '\"' to close this string");
  CHECK(error_of("0f3F80") == "ptx line 1: expected 8 hexadecimal digits after '0f', found '0f3F80'");
  CHECK(error_of("12abc") == "ptx line 1: expected a 64-bit integer, found '12abc'");
  CHECK(error_of("0x1FFFFFFFFFFFFFFFF") == "ptx line 1: expected a 64-bit integer, found '0x1FFFFFFFFFFFFFFFF'");
  CHECK(error_of("089") == "ptx line 1: expected a 64-bit integer, found '089'");
  CHECK(error_of("1e999") == "ptx line 1: expected a number that a 64-bit float holds, found '1e999'");
}

}  // namespace
}  // namespace warpbook::simulator::ptx

// Tests of constant expressions, as the PTX manual defines them.
#include "common/simulator/ptx/constant_expression.h"

#include "common/simulator/ptx/parser.h"
#include "common/testing/catch.h"

namespace warpbook::simulator::ptx {
namespace {

Constant evaluate(std::string_view text) {
  TokenStream tokens(text);
  const Constant value = parse_constant(tokens);
  CHECK(tokens.current().kind == Token::Kind::end);
  return value;
}

std::int64_t number(std::string_view text) { return static_cast<std::int64_t>(evaluate(text).bits); }

std::string error_of(std::string_view text) {
  try {
    evaluate(text);
  } catch (const ParseError& error) {
    return error.what();
  }
  return "no error";
}

TEST_CASE("operators bind as in C") {
  CHECK(number("1 + 2 * 3") == 7);
  CHECK(number("(1 + 2) * 3") == 9);
  CHECK(number("10 - 4 - 3") == 3);
  CHECK(number("1 << 4 | 3") == 19);
  CHECK(number("7 & 3 == 3") == 1);
  CHECK(number("2 < 3 && 3 <= 3 || 0") == 1);
  CHECK(number("5 ^ 1 | 8") == 12);
  CHECK(number("17 % 5 / 2") == 1);
  CHECK(number("1 ? 2 : 0 ? 3 : 4") == 2);
  CHECK(number("0 ? 2 : 0 ? 3 : 4") == 4);
  CHECK(number("-3 + ~0 + !5 + +2") == -2);
  CHECK(number("WARP_SZ / 2") == 16);
  CHECK(number("5 != 4") == 1);
  CHECK(number("3 > 4") == 0);
  CHECK(number("4 >= 4") == 1);
}

TEST_CASE("an unsigned operand makes the operation unsigned") {
  CHECK(number("-1 < 1") == 1);
  CHECK(number("-1 < 1U") == 0);
  CHECK(number("-8 >> 1") == -4);
  CHECK(evaluate("(.u64) -8 >> 60").bits == 15);
  CHECK(number("-6 / 4") == -1);
  CHECK(evaluate("-6 / 4U").bits == (~std::uint64_t{0} - 5) / 4);
  CHECK(evaluate("1U").type == Type::u64);
  CHECK(evaluate("(.s64) 1U").type == Type::s64);
}

TEST_CASE("the edges of 64 bits are defined") {
  CHECK(number("(-9223372036854775807 - 1) / -1") == INT64_MIN);
  CHECK(number("(-9223372036854775807 - 1) % -1") == 0);
  CHECK(number("1 << 64") == 0);
  CHECK(number("-1 >> 100") == -1);
}

TEST_CASE("floats take a sign and nothing else") {
  CHECK(evaluate("-0f3F800000").bits == 0xbf800000u);
  CHECK(evaluate("-0f3F800000").type == Type::f32);
  CHECK(evaluate("-1.0").bits == 0xbff0000000000000u);
  CHECK(error_of("1 + 1.0") ==
        "ptx line 1: expected an integer in a constant expression, found a floating-point number");
  CHECK(error_of("~1.0") == "ptx line 1: expected an integer in a constant expression, found a floating-point number");
}

TEST_CASE("invalid expressions are refused") {
  CHECK(error_of("1 / 0") == "ptx line 1: division by zero in a constant expression");
  CHECK(error_of("1 +") == "ptx line 1: expected a constant, found the end of the text");
  CHECK(error_of("(1") == "ptx line 1: expected ')' to close the expression, found the end of the text");
  CHECK(error_of("1 ? 2") == "ptx line 1: expected ':' in a conditional expression, found the end of the text");
  CHECK(error_of(std::string(100000, '(')) == "ptx line 1: nested more than 200 deep");
  CHECK(error_of(std::string(100000, '-')) == "ptx line 1: nested more than 200 deep");
}

}  // namespace
}  // namespace warpbook::simulator::ptx

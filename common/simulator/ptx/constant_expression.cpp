// Constant expressions, by precedence climbing.
#include "common/simulator/ptx/constant_expression.h"

#include <limits>

namespace warpbook::simulator::ptx {
namespace {

constexpr std::uint64_t kWarpSize = 32;

enum class Operator : std::uint8_t {
  none,
  multiply,
  divide,
  remainder,
  add,
  subtract,
  shift_left,
  shift_right,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  not_equal,
  bit_and,
  bit_xor,
  bit_or,
  logical_and,
  logical_or,
};

struct BinaryOperator {
  Operator op = Operator::none;
  unsigned precedence = 0;  ///< Higher binds tighter.
  unsigned tokens = 1;
};

BinaryOperator binary_operator(const TokenStream& tokens) {
  const Token& first = tokens.current();
  if (first.kind != Token::Kind::symbol) return {};
  const Token& second = tokens.following();
  const auto pair = [&](char a, char b) { return first.is(a) && second.is(b) && second.glued; };
  if (pair('<', '<')) return {Operator::shift_left, 8, 2};
  if (pair('>', '>')) return {Operator::shift_right, 8, 2};
  if (pair('<', '=')) return {Operator::less_equal, 7, 2};
  if (pair('>', '=')) return {Operator::greater_equal, 7, 2};
  if (pair('=', '=')) return {Operator::equal, 6, 2};
  if (pair('!', '=')) return {Operator::not_equal, 6, 2};
  if (pair('&', '&')) return {Operator::logical_and, 2, 2};
  if (pair('|', '|')) return {Operator::logical_or, 1, 2};
  switch (first.symbol) {
    case '*':
      return {Operator::multiply, 10};
    case '/':
      return {Operator::divide, 10};
    case '%':
      return {Operator::remainder, 10};
    case '+':
      return {Operator::add, 9};
    case '-':
      return {Operator::subtract, 9};
    case '<':
      return {Operator::less, 7};
    case '>':
      return {Operator::greater, 7};
    case '&':
      return {Operator::bit_and, 5};
    case '^':
      return {Operator::bit_xor, 4};
    case '|':
      return {Operator::bit_or, 3};
    default:
      return {};
  }
}

std::uint64_t divide(const TokenStream& tokens, Operator op, std::uint64_t a, std::uint64_t b, bool is_unsigned) {
  if (b == 0) tokens.reject("division by zero in a constant expression");
  if (is_unsigned) return op == Operator::divide ? a / b : a % b;
  if (b == ~std::uint64_t{0}) return op == Operator::divide ? 0 - a : 0;  // INT64_MIN / -1 wraps.
  const auto x = static_cast<std::int64_t>(a);
  const auto y = static_cast<std::int64_t>(b);
  return static_cast<std::uint64_t>(op == Operator::divide ? x / y : x % y);
}

std::uint64_t shift(Operator op, std::uint64_t a, std::uint64_t b, bool is_unsigned) {
  if (op == Operator::shift_left) return b < 64 ? a << b : 0;
  if (is_unsigned) return b < 64 ? a >> b : 0;
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(a) >> (b < 64 ? b : 63));
}

Constant apply(const TokenStream& tokens, Operator op, const Constant& left, const Constant& right) {
  const bool is_unsigned = left.type == Type::u64 || right.type == Type::u64;
  const std::uint64_t a = left.bits;
  const std::uint64_t b = right.bits;
  const bool less = is_unsigned ? a < b : static_cast<std::int64_t>(a) < static_cast<std::int64_t>(b);
  const auto truth = [](bool value) { return Constant{Type::s64, value}; };
  const auto number = [&](std::uint64_t bits) { return Constant{is_unsigned ? Type::u64 : Type::s64, bits}; };
  switch (op) {
    case Operator::multiply:
      return number(a * b);
    case Operator::divide:
    case Operator::remainder:
      return number(divide(tokens, op, a, b, is_unsigned));
    case Operator::add:
      return number(a + b);
    case Operator::subtract:
      return number(a - b);
    case Operator::shift_left:
    case Operator::shift_right:
      return {left.type, shift(op, a, b, left.type == Type::u64)};
    case Operator::less:
      return truth(less);
    case Operator::less_equal:
      return truth(less || a == b);
    case Operator::greater:
      return truth(!less && a != b);
    case Operator::greater_equal:
      return truth(!less);
    case Operator::equal:
      return truth(a == b);
    case Operator::not_equal:
      return truth(a != b);
    case Operator::bit_and:
      return number(a & b);
    case Operator::bit_xor:
      return number(a ^ b);
    case Operator::bit_or:
      return number(a | b);
    case Operator::logical_and:
      return truth(a != 0 && b != 0);
    case Operator::logical_or:
      return truth(a != 0 || b != 0);
    case Operator::none:
      break;
  }
  return left;
}

class ConstantParser {
 public:
  explicit ConstantParser(TokenStream& tokens) : tokens_(tokens) {}

  Constant expression() {
    NestingGuard guard(tokens_, depth_);
    const Constant condition = binary(1);
    if (condition.is_float() || !tokens_.accept('?')) return condition;
    const Constant if_true = expression();
    tokens_.expect(':', "in a conditional expression");
    const Constant if_false = expression();
    return condition.bits != 0 ? if_true : if_false;
  }

  Constant unary() {
    NestingGuard guard(tokens_, depth_);
    const Token& token = tokens_.current();
    switch (token.kind) {
      case Token::Kind::integer:
        return literal(token.is_unsigned ? Type::u64 : Type::s64);
      case Token::Kind::float32:
        return literal(Type::f32);
      case Token::Kind::float64:
        return literal(Type::f64);
      case Token::Kind::word:
        if (token.text != "WARP_SZ") break;
        tokens_.take();
        return {Type::s64, kWarpSize};
      case Token::Kind::symbol:
        if (token.symbol == '(') return parenthesised();
        if (token.symbol == '-') return negated();
        if (token.symbol == '+' || token.symbol == '~' || token.symbol == '!') return unary_integer(token.symbol);
        break;
      default:
        break;
    }
    tokens_.fail("a constant");
  }

 private:
  Constant literal(Type type) { return {type, tokens_.take().bits}; }

  Constant parenthesised() {
    tokens_.take();
    if (tokens_.accept_dotted("s64")) return cast(Type::s64);
    if (tokens_.accept_dotted("u64")) return cast(Type::u64);
    const Constant inner = expression();
    tokens_.expect(')', "to close the expression");
    return inner;
  }

  Constant cast(Type type) {
    tokens_.expect(')', "after the type of a cast");
    return {type, integer_operand().bits};
  }

  Constant negated() {
    tokens_.take();
    const Constant value = unary();
    if (value.type == Type::f32) return {Type::f32, value.bits ^ 0x80000000u};
    if (value.type == Type::f64) return {Type::f64, value.bits ^ (std::uint64_t{1} << 63)};
    return {value.type, 0 - value.bits};
  }

  Constant unary_integer(char symbol) {
    tokens_.take();
    const Constant value = symbol == '+' ? unary() : integer_operand();
    if (symbol == '~') return {value.type, ~value.bits};
    if (symbol == '!') return {Type::s64, value.bits == 0};
    return value;
  }

  Constant integer_operand() {
    const Constant value = unary();
    if (value.is_float()) tokens_.reject("expected an integer in a constant expression, found a floating-point number");
    return value;
  }

  Constant binary(unsigned lowest) {
    NestingGuard guard(tokens_, depth_);
    Constant left = unary();
    if (left.is_float()) return left;
    for (;;) {
      const BinaryOperator next = binary_operator(tokens_);
      if (next.op == Operator::none || next.precedence < lowest) return left;
      for (unsigned i = 0; i < next.tokens; ++i) tokens_.take();
      const Constant right = binary(next.precedence + 1);
      if (right.is_float())
        tokens_.reject("expected an integer in a constant expression, found a floating-point number");
      left = apply(tokens_, next.op, left, right);
    }
  }

  TokenStream& tokens_;
  unsigned depth_ = 0;
};

}  // namespace

bool begins_constant(const Token& token) {
  switch (token.kind) {
    case Token::Kind::integer:
    case Token::Kind::float32:
    case Token::Kind::float64:
      return true;
    case Token::Kind::word:
      return token.text == "WARP_SZ";
    default:
      return token.is('(') || token.is('-') || token.is('+') || token.is('~') || token.is('!');
  }
}

Constant parse_constant(TokenStream& tokens) { return ConstantParser(tokens).expression(); }

std::uint64_t parse_integer(TokenStream& tokens, std::string_view what) {
  if (!begins_constant(tokens.current())) tokens.fail(what);
  const Constant value = parse_constant(tokens);
  if (value.is_float()) tokens.reject("expected " + std::string(what) + ", found a floating-point number");
  return value.bits;
}

std::uint32_t parse_small_integer(TokenStream& tokens, std::string_view what) {
  const std::uint64_t value = parse_integer(tokens, what);
  if (value > std::numeric_limits<std::uint32_t>::max()) {
    tokens.reject("expected " + std::string(what) + " below 2^32, found " + std::to_string(value));
  }
  return static_cast<std::uint32_t>(value);
}

}  // namespace warpbook::simulator::ptx

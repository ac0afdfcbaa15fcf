// The tokens of a module with one token of look-ahead, and errors that name what was expected.
#include "common/simulator/ptx/token_stream.h"

#include "common/simulator/ptx/parser.h"

namespace warpbook::simulator::ptx {
namespace {
constexpr unsigned kDeepestExpression = 200;
}

Token TokenStream::take() {
  const Token taken = current_;
  current_ = following_;
  following_ = lexer_.next();
  return taken;
}

bool TokenStream::accept(char symbol) {
  if (!current_.is(symbol)) return false;
  take();
  return true;
}

bool TokenStream::accept_dotted(std::string_view word) {
  if (!current_.is_dotted(word)) return false;
  take();
  return true;
}

void TokenStream::expect(char symbol, std::string_view where) {
  if (!accept(symbol)) fail(std::string("'").append(1, symbol).append("' ").append(where));
}

std::string_view TokenStream::expect_word(std::string_view what) {
  if (current_.kind != Token::Kind::word) fail(what);
  return take().text;
}

std::string_view TokenStream::expect_string(std::string_view what) {
  if (current_.kind != Token::Kind::string) fail(what);
  return take().text;
}

void TokenStream::fail(std::string_view expected) const {
  reject("expected " + std::string(expected) + ", found " + describe(current_));
}

void TokenStream::reject(const std::string& message) const { throw ParseError(current_.line, message); }

NestingGuard::NestingGuard(const TokenStream& tokens, unsigned& depth) : depth_(depth) {
  if (depth_ == kDeepestExpression) tokens.reject("nested more than " + std::to_string(kDeepestExpression) + " deep");
  ++depth_;
}

}  // namespace warpbook::simulator::ptx

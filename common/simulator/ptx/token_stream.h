// The tokens of a module with one token of look-ahead, and errors that name what was expected.
#pragma once

#include <string>
#include <string_view>

#include "common/simulator/ptx/lexer.h"

namespace warpbook::simulator::ptx {

class TokenStream {
 public:
  explicit TokenStream(std::string_view text) : lexer_(text), current_(lexer_.next()), following_(lexer_.next()) {}

  const Token& current() const { return current_; }
  const Token& following() const { return following_; }

  Token take();
  /// Goes on behind the block that begins at the current token, a '{', unless @p enters(its text), both braces
  /// included, is true. @returns whether it did. @throws ParseError
  template <class Enters>
  bool skip_block_unless(Enters enters) {
    Lexer behind = lexer_;
    if (enters(behind.skip_block(current_))) return false;
    lexer_ = behind;
    current_ = lexer_.next();
    following_ = lexer_.next();
    return true;
  }
  bool accept(char symbol);
  bool accept_dotted(std::string_view word);

  /// @param where completes "expected ';' ": "after the operands".
  void expect(char symbol, std::string_view where);
  std::string_view expect_word(std::string_view what);
  std::string_view expect_string(std::string_view what);

  /// Throws "expected <what>, found <the current token>".
  [[noreturn]] void fail(std::string_view expected) const;
  /// Throws @p message unchanged.
  [[noreturn]] void reject(const std::string& message) const;

 private:
  Lexer lexer_;
  Token current_;
  Token following_;
};

/// Limits the depth of recursive descent, so that hostile text cannot exhaust the stack.
class NestingGuard {
 public:
  NestingGuard(const TokenStream& tokens, unsigned& depth);
  ~NestingGuard() { --depth_; }
  NestingGuard(const NestingGuard&) = delete;
  NestingGuard& operator=(const NestingGuard&) = delete;

 private:
  unsigned& depth_;
};

}  // namespace warpbook::simulator::ptx

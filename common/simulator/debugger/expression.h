// Debugger expressions: those of C++ without calls and assignments, plus gdb's "array @ count", $registers and $1, and
// cuda-gdb's "(@shared int*)0": a pointer to a place in shared memory.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "common/simulator/debugger/value.h"

namespace warpbook::simulator::debugger {

/// A parsed expression, which can be evaluated in many contexts.
class Expression {
 public:
  struct Node;
  /// @throws EvaluationError on a syntax error
  explicit Expression(std::string_view text);
  ~Expression();
  Expression(Expression&&) noexcept;
  Expression& operator=(Expression&&) noexcept;

  /// @throws EvaluationError
  Value evaluate(Context& context) const;
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::unique_ptr<Node> root_;
};

}  // namespace warpbook::simulator::debugger

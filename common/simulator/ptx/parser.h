// Text to tree: parses the PTX that nvcc embeds.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "common/simulator/ptx/ast.h"

namespace warpbook::simulator::ptx {

/// A syntax error, with its PTX line: "ptx line 12: expected ';' after operand, found '}'".
class ParseError : public std::runtime_error {
 public:
  ParseError(std::uint32_t line, const std::string& what);
  std::uint32_t line() const { return line_; }

 private:
  std::uint32_t line_;
};

/// Whether the body of a defined function should be parsed. @param body is part of the module's text
using WantsBody = std::function<bool(const std::string& function, std::string_view body)>;

/// Parses one module. @param wants if given, bodies that it rejects stay empty: only their braces are matched. @throws
/// ParseError
Module parse(std::string_view text, const WantsBody& wants = {});

}  // namespace warpbook::simulator::ptx

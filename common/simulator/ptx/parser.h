// Text to tree: parses the PTX that nvcc embeds.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "common/simulator/ptx/ast.h"

namespace warpbook::simulator::ptx {

/// What the text violates, with the PTX line: "ptx line 12: expected ';' after operand, found '}'".
class ParseError : public std::runtime_error {
 public:
  ParseError(std::uint32_t line, const std::string& what);
  std::uint32_t line() const { return line_; }

 private:
  std::uint32_t line_;
};

/// Parses one module. @throws ParseError
Module parse(std::string_view text);

}  // namespace warpbook::simulator::ptx

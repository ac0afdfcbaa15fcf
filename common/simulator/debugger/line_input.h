// Lines that a person types: with editing and a history in a terminal, byte by byte from anything else.
#pragma once

#include <string>
#include <vector>

namespace warpbook::simulator::debugger {

class LineInput {
 public:
  enum class Outcome : unsigned char { line, interrupted, end };
  /// Shows @p prompt and waits. What stands behind the line is left for the program, which may read the same input.
  Outcome read(const char* prompt, std::string& line);
  /// What the tab key completes the first word of a line to.
  static void complete_with(std::vector<std::string> words);
};

}  // namespace warpbook::simulator::debugger

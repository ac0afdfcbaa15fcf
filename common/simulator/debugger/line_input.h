// Lines that a person types: with editing and history in a terminal, byte by byte from anything else.
#pragma once

#include <string>
#include <vector>

namespace warpbook::simulator::debugger {

class LineInput {
 public:
  enum class Outcome : unsigned char { line, interrupted, end };
  /// Shows @p prompt and waits for a line. Input after the line is left for the program, which may read from the same
  /// file.
  Outcome read(const char* prompt, std::string& line);
  /// The words that the tab key completes at the start of a line.
  static void complete_with(std::vector<std::string> words);
};

}  // namespace warpbook::simulator::debugger

// The words of command lines.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "common/simulator/debugger/value.h"

namespace warpbook::simulator::debugger {

std::string trimmed(const std::string& text);
/// The first word, and the rest.
std::pair<std::string, std::string> first_word(const std::string& text);
/// @throws EvaluationError if @p text is not a whole number
int whole_number(const std::string& text);
/// Removes "/3xw" from the start of a command's arguments: the count, the format and the size.
struct ExamineFormat {
  unsigned count = 1;
  char letter = 0, size = 0;
};
/// @param letters the formats that are allowed
ExamineFormat take_format(std::string& rest, std::string_view letters = "xduotcfaz");

}  // namespace warpbook::simulator::debugger

// Splits command lines.
#include "common/simulator/debugger/command_words.h"

#include <cctype>
#include <cstdlib>

namespace warpbook::simulator::debugger {

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

std::pair<std::string, std::string> first_word(const std::string& text) {
  const std::string all = trimmed(text);
  const std::size_t end = all.find_first_of(" \t");
  if (end == std::string::npos) return {all, ""};
  return {all.substr(0, end), trimmed(all.substr(end))};
}

int whole_number(const std::string& text) {
  char* end = nullptr;
  const long value = std::strtol(text.c_str(), &end, 10);
  if (text.empty() || *end != '\0' || value < 0 || value > 1000000000)
    throw EvaluationError("Bad number: '" + text + "'.");
  return static_cast<int>(value);
}

ExamineFormat take_format(std::string& rest, std::string_view letters) {
  ExamineFormat format;
  if (rest.empty() || rest[0] != '/') return format;
  std::size_t at = 1;
  unsigned count = 0;
  for (; at < rest.size() && std::isdigit(static_cast<unsigned char>(rest[at])) != 0 && count < 100000; ++at)
    count = 10 * count + static_cast<unsigned>(rest[at] - '0');
  if (count != 0) format.count = count;
  for (; at < rest.size() && std::isspace(static_cast<unsigned char>(rest[at])) == 0; ++at) {
    const char c = rest[at];
    if (std::string_view("bhwg").find(c) != std::string_view::npos)
      format.size = c;
    else if (letters.find(c) != std::string_view::npos)
      format.letter = c;
    else
      throw EvaluationError(std::string("Undefined output format \"") + c + "\": one of " + std::string(letters) +
                            " is expected.");
  }
  rest = trimmed(rest.substr(at));
  return format;
}

}  // namespace warpbook::simulator::debugger

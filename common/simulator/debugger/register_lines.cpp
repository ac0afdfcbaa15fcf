// Reads registers, labels and branches from the text.
#include "common/simulator/debugger/register_lines.h"

#include <algorithm>
#include <cctype>

namespace warpbook::simulator::debugger {

RegisterLines::RegisterLines(std::string_view lines, std::uint32_t first) {
  std::map<std::string_view, std::uint32_t> labels;
  const auto in_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$'; };
  for (std::uint32_t number = first; !lines.empty(); ++number) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(std::min(lines.size(), line.size() + 1));
    bool branches = false;
    for (std::size_t at = 0; at < line.size();) {
      if (line.substr(at, 2) == "//") break;
      const bool is_register = line[at] == '%';
      std::size_t end = at + (is_register ? 1 : 0);
      while (end < line.size() && in_word(line[end])) ++end;
      const std::string_view word = line.substr(at, end - at);
      if (is_register) first_.try_emplace(std::string(word), number);
      if (!is_register && !word.empty()) {
        if (end < line.size() && line[end] == ':') labels[word] = number;
        const auto label = labels.find(word);
        if (branches && label != labels.end()) loops_.emplace_back(number, label->second);
        // A table of branches may lead anywhere.
        if (word == "brx") loops_.emplace_back(number, first);
        branches |= word == "bra";
      }
      at = std::max(end, at + 1);
    }
  }
}

bool RegisterLines::may_be_set(const std::string& name, std::uint32_t line) const {
  const auto first = first_.find(name);
  if (first == first_.end()) return true;  // It is not known under this name.
  if (first->second < line) return true;
  return std::any_of(loops_.begin(), loops_.end(),
                     [&](const auto& loop) { return loop.first >= first->second && loop.second <= line; });
}

}  // namespace warpbook::simulator::debugger

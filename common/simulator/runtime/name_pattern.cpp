// NamePattern, by std::regex: expressions are those of ECMAScript.
#include "common/simulator/runtime/name_pattern.h"

#include <regex>
#include <stdexcept>
#include <string_view>

namespace warpbook::simulator::runtime {

struct NamePattern::Expression {
  std::regex compiled;
};

NamePattern::NamePattern(const std::string& text) : exact_(text) {
  constexpr std::string_view kPrefix = "regex:";
  if (!text.starts_with(kPrefix)) return;
  const std::string expression = text.substr(kPrefix.size());
  try {
    expression_ = std::make_shared<const Expression>(Expression{std::regex(expression, std::regex::ECMAScript)});
  } catch (const std::regex_error& error) {
    throw std::invalid_argument("'" + expression + "' is not a regular expression: " + error.what());
  }
}

bool NamePattern::matches(const std::string& name) const {
  return expression_ ? std::regex_search(name, expression_->compiled) : name == exact_;
}

}  // namespace warpbook::simulator::runtime

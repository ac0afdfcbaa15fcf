// Names to look for: what filters of a profile are made of.
#pragma once

#include <memory>
#include <string>

namespace warpbook::simulator::runtime {

/// A name or, after "regex:", an expression that must match part of it.
class NamePattern {
 public:
  /// @throws std::invalid_argument
  explicit NamePattern(const std::string& text);
  bool matches(const std::string& name) const;

 private:
  struct Expression;  // std::regex takes 3 s to compile: name_pattern.cpp alone includes it.
  std::string exact_;
  std::shared_ptr<const Expression> expression_;
};

}  // namespace warpbook::simulator::runtime

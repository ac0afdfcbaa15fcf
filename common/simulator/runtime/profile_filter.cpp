// Parses the filters' expressions and applies them to launches.
#include "common/simulator/runtime/profile_filter.h"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "common/simulator/runtime/kernel_name.h"

namespace warpbook::simulator::runtime {
namespace {

constexpr const char* kRegex = "regex:";

std::vector<std::string> split(const std::string& text, char delimiter) {
  std::vector<std::string> parts(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size())
      parts.back() += text[++i];
    else if (text[i] == delimiter)
      parts.emplace_back();
    else
      parts.back() += text[i];
  }
  return parts;
}

}  // namespace

RangePattern::RangePattern(const std::string& text) {
  std::string names = text;
  const std::size_t at = names.find('@');
  if (at != std::string::npos) {
    domain_ = names.substr(0, at);
    names.erase(0, at + 1);
  }
  const bool is_expression = names.rfind(kRegex, 0) == 0;
  from_bottom_ = !is_expression && !names.empty() && names.front() == '[';
  to_top_ = !is_expression && !names.empty() && names.back() == ']';
  if (from_bottom_) names.erase(0, 1);
  if (to_top_) names.pop_back();
  // A slash after the last name only marks the range as a push/pop range.
  const bool slash_ends = !names.empty() && names.back() == '/';
  if (slash_ends) names.pop_back();
  nests_ = from_bottom_ || to_top_ || slash_ends || (!is_expression && names.find('/') != std::string::npos);
  if (nests_ && names.find(',') != std::string::npos)
    throw std::invalid_argument("'" + text + "' mixes start/end ranges (A,B) with push/pop ranges (A/B)");
  for (const std::string& name : nests_ ? split(names, '/') : split(names, ',')) {
    if (name.empty()) throw std::invalid_argument("'" + text + "' has a range without a name: write A, A,B, A/ or A/B");
    if (nests_ && name == "*")
      names_.emplace_back();
    else
      names_.emplace_back(NamePattern(name));
  }
}

bool RangePattern::matches_stack(const std::vector<const AnnotatedRange*>& stack) const {
  if (stack.size() < names_.size()) return false;
  for (std::size_t from = 0; from + names_.size() <= stack.size(); ++from) {
    if (from_bottom_ && from != 0) break;
    if (to_top_ && from + names_.size() != stack.size()) continue;
    bool all = true;
    for (std::size_t i = 0; i < names_.size() && all; ++i)
      all = !names_[i] || names_[i]->matches(stack[from + i]->annotation.text);
    if (all) return true;
  }
  return false;
}

bool RangePattern::matches(const std::vector<AnnotatedRange>& ranges, const std::vector<std::uint32_t>& open) const {
  std::vector<const AnnotatedRange*> own;
  for (const std::uint32_t place : open) {
    const AnnotatedRange& range = ranges[place];
    if (range.nests == nests_ && range.annotation.domain == domain_) own.push_back(&range);
  }
  if (nests_) return matches_stack(own);
  return std::all_of(names_.begin(), names_.end(), [&own](const auto& name) {
    return std::any_of(own.begin(), own.end(),
                       [&](const AnnotatedRange* range) { return name->matches(range->annotation.text); });
  });
}

ProfileFilter::ProfileFilter(const FilterOptions& options)
    : skip_(options.launch_skip),
      left_(options.launch_count),
      from_start_(options.from_start),
      counts_(options.launch_count != 0) {
  if (!options.kernel_name.empty()) kernel_.emplace(options.kernel_name);
  for (const std::string& text : options.include) include_.emplace_back(text);
}

bool ProfileFilter::takes(const std::string& kernel, const std::vector<AnnotatedRange>& ranges,
                          const std::vector<std::uint32_t>& open) {
  if (kernel_ && !kernel_->matches(function_name(kernel))) return false;
  const bool included =
      include_.empty() || std::any_of(include_.begin(), include_.end(),
                                      [&](const RangePattern& pattern) { return pattern.matches(ranges, open); });
  if (!included) return false;
  if (skip_ != 0) {
    --skip_;
    return false;
  }
  if (!counts_) return true;
  if (left_ == 0) return false;
  --left_;
  return true;
}

}  // namespace warpbook::simulator::runtime

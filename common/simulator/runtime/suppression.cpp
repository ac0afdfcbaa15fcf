// Parses suppressions and matches findings with them.
#include "common/simulator/runtime/suppression.h"

#include <fnmatch.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>

namespace warpbook::simulator::runtime {
namespace {

constexpr std::string_view kKernel = "kernel=", kCheck = "check=";
constexpr const char* kForms = "write kernel=NAME, FILE:LINE or check=NAME, with commas between several";

bool begins_with(std::string_view text, std::string_view prefix) { return text.substr(0, prefix.size()) == prefix; }

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

/// The line of "FILE:LINE"; 0 if it is not of that form.
std::uint32_t line_of(std::string_view term) {
  const auto colon = term.rfind(':');
  if (colon == std::string_view::npos || colon == 0) return 0;
  const std::string_view digits = term.substr(colon + 1);
  std::uint32_t line = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), line);
  return error == std::errc() && end == digits.data() + digits.size() ? line : 0;
}

bool is_term(std::string_view text) {
  return begins_with(text, kKernel) || begins_with(text, kCheck) || line_of(text) != 0;
}

/// Splits at commas, except those in a kernel's name.
std::vector<std::string> terms_of(std::string_view text) {
  std::vector<std::string> terms;
  while (true) {
    const auto comma = text.find(',');
    const std::string_view piece = text.substr(0, comma);
    const bool goes_on = !terms.empty() && begins_with(terms.back(), kKernel) && !is_term(trimmed(piece));
    if (goes_on) {
      terms.back().append(",").append(piece);
    } else {
      terms.emplace_back(trimmed(piece));
    }
    if (comma == std::string_view::npos) return terms;
    text.remove_prefix(comma + 1);
  }
}

std::invalid_argument malformed(std::string_view rule, const std::string& what) {
  return std::invalid_argument("the suppression '" + std::string(rule) + "' " + what + "; " + kForms);
}

/// "(anonymous namespace)::add" of "(anonymous namespace)::add(float *)".
std::string without_arguments(const std::string& name) {
  if (name.empty() || name.back() != ')') return name;
  int depth = 0;
  for (std::size_t i = name.size(); i-- > 0;) {
    depth += name[i] == ')' ? 1 : name[i] == '(' ? -1 : 0;
    if (depth == 0) return name.substr(0, i);
  }
  return name;
}

bool matches_kernel(const std::string& pattern, const std::string& name) {
  if (name.empty()) return false;
  const auto fits = [&](const std::string& text) { return fnmatch(pattern.c_str(), text.c_str(), 0) == 0; };
  return fits(name) || fits(without_arguments(name));
}

bool is_end_of_path(const std::string& end, const std::string& path) {
  if (end.size() > path.size() || path.compare(path.size() - end.size(), end.size(), end) != 0) return false;
  return end.size() == path.size() || end.front() == '/' || path[path.size() - end.size() - 1] == '/';
}

}  // namespace

Suppression Suppression::parse(std::string_view text) {
  Suppression rule;
  for (const std::string& term : terms_of(text)) {
    if (begins_with(term, kKernel)) {
      if (!rule.kernel.empty()) throw malformed(text, "names two kernels");
      rule.kernel = trimmed(std::string_view(term).substr(kKernel.size()));
      if (rule.kernel.empty()) throw malformed(text, "names no kernel");
    } else if (begins_with(term, kCheck)) {
      const std::string name = term.substr(kCheck.size());
      const auto* const found =
          std::find_if(kChecks.begin(), kChecks.end(), [&](Check check) { return name_of(check) == name; });
      if (found == kChecks.end()) throw malformed(text, "names the unknown check '" + name + "'");
      rule.check = *found;
    } else if (const std::uint32_t line = line_of(term); line != 0) {
      if (rule.line != 0) throw malformed(text, "names two lines");
      rule.line = line;
      rule.file = term.substr(0, term.rfind(':'));
    } else {
      throw malformed(text, term.empty() ? "has an empty part" : "has the part '" + term + "', which is not valid");
    }
  }
  return rule;
}

bool Suppression::matches(const CheckFinding& finding) const {
  if (check && *check != finding.check) return false;
  const auto any_site = [&](auto fits) { return std::any_of(finding.sites.begin(), finding.sites.end(), fits); };
  if (!kernel.empty() && !matches_kernel(kernel, finding.kernel) &&
      !any_site([&](const CheckSite& site) { return matches_kernel(kernel, site.kernel); }))
    return false;
  return line == 0 ||
         any_site([&](const CheckSite& site) { return site.line == line && is_end_of_path(file, site.file); });
}

std::vector<Suppression> parse_suppressions(std::string_view text) {
  std::vector<Suppression> rules;
  while (!text.empty()) {
    const auto end = text.find_first_of(";\n");
    const std::string_view rule = trimmed(text.substr(0, end));
    if (!rule.empty()) rules.push_back(Suppression::parse(rule));
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return rules;
}

}  // namespace warpbook::simulator::runtime

// The keys of a line `because:`, in one table: how each is spelled, and the values that a finding has for it.
#include "grader/judge/because.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <optional>

namespace warpbook::grader {

namespace {

using Texts = std::vector<std::string>;

/// A value for each place that has one.
Texts of_sites(const Finding& finding, const std::function<std::string(const Place&)>& value) {
  Texts values;
  for (const Place& place : finding.sites)
    if (std::string text = value(place); !text.empty()) values.push_back(std::move(text));
  return values;
}

/// Many answers share a program, each in a namespace of its own.
std::string without_namespace(const std::string& function) {
  const std::size_t colons = function.substr(0, function.find('<')).rfind("::");
  return colons == std::string::npos ? function : function.substr(colons + 2);
}

Texts if_any(const std::string& text) { return text.empty() ? Texts() : Texts{text}; }

struct Key {
  const char* name;
  bool is_part;  ///< Whether it is enough that the value is in the finding's.
  Texts (*values)(const Finding&);
};

constexpr std::array kKeys = {
    Key{"topic", false, [](const Finding& f) { return if_any(f.topic); }},
    Key{"subject", false,
        [](const Finding& f) {
          return if_any(f.kind == FindingKind::refused_launch ? without_namespace(f.subject) : f.subject);
        }},
    Key{"advice", false, [](const Finding& f) { return if_any(f.advice); }},
    Key{"limit", false, [](const Finding& f) { return f.limit ? Texts{number_text(f.limit->value)} : Texts(); }},
    Key{"function", false,
        [](const Finding& f) { return of_sites(f, [](const Place& p) { return without_namespace(p.function); }); }},
    Key{"file", false,
        [](const Finding& f) {
          return of_sites(f, [](const Place& p) { return std::filesystem::path(p.file).filename().string(); });
        }},
    Key{"line", false,
        [](const Finding& f) {
          return of_sites(f, [](const Place& p) { return p.line > 0 ? std::to_string(p.line) : ""; });
        }},
    Key{"code", true, [](const Finding& f) { return of_sites(f, [](const Place& p) { return p.text; }); }}};

/// All values that a finding has for a key: nothing if there is no such key.
std::optional<Texts> texts_of(const Finding& finding, const std::string& name) {
  if (const auto key = std::ranges::find(kKeys, name, &Key::name); key != kKeys.end()) return key->values(finding);
  Texts numbers;
  for (const Figure& figure : finding.evidence)
    if (figure.name == name) numbers.push_back(number_text(figure.value));
  return numbers.empty() ? std::nullopt : std::optional(numbers);
}

bool has(const Finding& finding, const std::string& name, const std::string& value) {
  const auto key = std::ranges::find(kKeys, name, &Key::name);
  const Texts values = texts_of(finding, name).value_or(Texts());
  return std::ranges::any_of(values, [&](const std::string& found) {
    return key != kKeys.end() && key->is_part ? found.find(value) != std::string::npos : found == value;
  });
}

std::vector<const Finding*> all_in(const Finding& finding) {
  std::vector<const Finding*> all = {&finding};
  for (const Finding& other : finding.also) all.push_back(&other);
  return all;
}

std::string quoted(const std::string& value) {
  if (value.find_first_of(" \"'") == std::string::npos && !value.empty()) return value;
  const char quote = value.find('"') == std::string::npos ? '"' : '\'';
  return quote + value + quote;
}

std::string line_of(const Finding& finding) {
  std::string line = spelling_of(finding.kind);
  const auto add = [&](const std::string& name, const std::string& value) { line += ' ' + name + '=' + quoted(value); };
  for (const Key& key : kKeys)
    for (const std::string& value : key.values(finding)) add(key.name, value);
  for (const Figure& figure : finding.evidence) add(figure.name, number_text(figure.value));
  return line;
}

std::string known_kinds() {
  std::string kinds;
#define WB_ADD(name) kinds += std::string(" ") + #name;
  WB_FINDING_KINDS(WB_ADD)
#undef WB_ADD
  return kinds;
}

std::string known_keys() {
  std::string keys;
  for (const Key& key : kKeys) keys += std::string(keys.empty() ? "" : ", ") + key.name;
  return keys;
}

/// The next word and what follows it: `key=value` with the value's quotes taken off.
std::pair<std::string, std::string> next_fact(std::string& rest) {
  const std::size_t equals = rest.find('=');
  const std::string name = rest.substr(0, equals);
  if (equals == std::string::npos || equals == 0 || name.find(' ') != std::string::npos)
    throw BecauseError("'" + rest + "' does not begin with key=value");
  rest.erase(0, equals + 1);
  const bool is_quoted = !rest.empty() && (rest[0] == '"' || rest[0] == '\'');
  const std::size_t end = is_quoted ? rest.find(rest[0], 1) : std::min(rest.find(' '), rest.size());
  if (end == std::string::npos) throw BecauseError("the value of " + name + " has no quote at its end: " + rest);
  const std::string value = is_quoted ? rest.substr(1, end - 1) : rest.substr(0, end);
  rest.erase(0, is_quoted ? end + 1 : end);
  if (!rest.empty() && rest[0] != ' ')
    throw BecauseError("after the value of " + name + " there is no space, but '" + rest + "'");
  if (value.empty()) throw BecauseError(name + " has no value");
  return {name, value};
}

void skip_spaces(std::string& rest) { rest.erase(0, std::min(rest.find_first_not_of(' '), rest.size())); }

}  // namespace

Because parse_because(const std::string& text) {
  std::string rest = text;
  skip_spaces(rest);
  const std::string word = rest.substr(0, rest.find(' '));
  const auto kind = finding_kind_of(word);
  if (!kind) throw BecauseError("there is no kind of finding '" + word + "'; there are:" + known_kinds());
  rest.erase(0, word.size());
  Because because{*kind, {}};
  for (skip_spaces(rest); !rest.empty(); skip_spaces(rest)) because.facts.push_back(next_fact(rest));
  return because;
}

bool holds(const Because& because, const Finding& finding) {
  std::vector<const Finding*> of_kind = all_in(finding);
  std::erase_if(of_kind, [&](const Finding* one) { return one->kind != because.kind; });
  for (const auto& [name, value] : because.facts) {
    const auto knows = [&name = name](const Finding* one) { return texts_of(*one, name).has_value(); };
    if (of_kind.empty() || std::ranges::any_of(of_kind, knows)) continue;
    throw BecauseError("there is no key '" + name + "'; there are " + known_keys() +
                       ", and the names of numbers in the finding's evidence");
  }
  return std::ranges::any_of(of_kind, [&](const Finding* one) {
    return std::ranges::all_of(because.facts, [&](const auto& fact) { return has(*one, fact.first, fact.second); });
  });
}

std::string because_of(const Finding& finding) {
  std::string lines;
  for (const Finding* one : all_in(finding)) lines += line_of(*one) + "\n";
  return lines;
}

}  // namespace warpbook::grader

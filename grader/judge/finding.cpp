// The order in which the parts of a finding are shown, and its form in records.
#include "grader/judge/finding.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

namespace warpbook::grader {

namespace {

using Json = nlohmann::json;

constexpr int kVersion = 1;
constexpr std::size_t kWidth = 100;  // Of a terminal.

/// Adds a text line by line, so that no paragraph has a line feed in it.
void add(std::vector<Paragraph>& paragraphs, int indent, const std::string& text, bool code = false) {
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    const std::size_t first = line.find_first_not_of(' ');
    if (first == std::string::npos) continue;
    // Program output keeps its own indent; prose has none.
    paragraphs.push_back({indent, code ? line : line.substr(first), code});
  }
}

/// Findings on counted quantities and times label their sentences; in other findings, only advice follows.
bool is_measured(FindingKind kind) {
  return kind == FindingKind::too_much || kind == FindingKind::too_little || kind == FindingKind::nothing_counted ||
         kind == FindingKind::too_slow;
}

/// Nothing for a place without a label: a sentence names it. For a fault, a note says more than the function.
std::string place_text(const Place& place, bool measured) {
  if (place.label.empty()) return "";
  const std::string function = !measured || place.function.empty() ? "" : " in " + place.function;
  if (place.file.empty()) return place.label + "unknown (no line numbers)" + function;
  return place.label + place.file + ":" + std::to_string(place.line) + function;
}

void add_case(std::vector<Paragraph>& paragraphs, const Finding& finding) {
  if (!finding.the_case.empty()) add(paragraphs, 0, "The case: " + finding.the_case);
  if (!finding.command.empty()) add(paragraphs, 0, "Repeat this run: " + finding.command, true);
}

std::string wrapped(const std::vector<Paragraph>& paragraphs) {
  std::string result;
  for (const Paragraph& paragraph : paragraphs) {
    std::string line = std::string(static_cast<std::size_t>(paragraph.indent) + 2, ' ') + paragraph.text;
    const std::size_t hanging = static_cast<std::size_t>(paragraph.indent) + 4;
    while (line.size() > kWidth && !paragraph.code) {
      const std::size_t space = line.rfind(' ', kWidth);
      if (space == std::string::npos || space <= hanging) break;
      result += line.substr(0, space) + "\n";
      line = std::string(hanging, ' ') + line.substr(space + 1);
    }
    result += line + "\n";
  }
  return result;
}

Json to_json(const Place& place) {
  return {{"file", place.file}, {"line", place.line},   {"function", place.function},
          {"text", place.text}, {"label", place.label}, {"notes", place.notes}};
}

Place place_from_json(const Json& json) {
  Place place;
  place.file = json.at("file").get<std::string>();
  place.line = json.at("line").get<int>();
  place.function = json.at("function").get<std::string>();
  place.text = json.at("text").get<std::string>();
  place.label = json.at("label").get<std::string>();
  place.notes = json.at("notes").get<std::vector<std::string>>();
  return place;
}

}  // namespace

std::string spelling_of(FindingKind kind) {
  switch (kind) {
#define WB_SPELLING(name) \
  case FindingKind::name: \
    return #name;
    WB_FINDING_KINDS(WB_SPELLING)
#undef WB_SPELLING
  }
  throw std::logic_error("a finding's kind has no spelling");
}

std::optional<FindingKind> finding_kind_of(const std::string& spelling) {
#define WB_COMPARE(name) \
  if (spelling == #name) return FindingKind::name;
  WB_FINDING_KINDS(WB_COMPARE)
#undef WB_COMPARE
  return std::nullopt;
}

Finding finding_of(FindingKind kind, std::string headline, std::string what_to_try) {
  Finding finding;
  finding.kind = kind;
  finding.headline = std::move(headline);
  finding.what_to_try = std::move(what_to_try);
  return finding;
}

Finding finding_of_text(FindingKind kind, const std::string& text) {
  Finding finding;
  finding.kind = kind;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (finding.headline.empty()) {
      finding.headline = line;
    } else if (!line.empty()) {
      finding.facts.push_back(line);
    }
  }
  return finding;
}

std::vector<Paragraph> paragraphs_of(const Finding& finding) {
  std::vector<Paragraph> result;
  const bool measured = is_measured(finding.kind);
  for (const std::string& text : finding.before) add(result, 0, text);
  add(result, 0, finding.headline + (finding.examples.empty() ? "" : " The first:"));
  for (const std::string& text : finding.examples) add(result, 4, text);
  for (const std::string& text : finding.facts) add(result, 2, text);
  for (const Place& place : finding.sites) {
    add(result, 2, place_text(place, measured));
    add(result, 6, place.text, true);
    for (const std::string& note : place.notes) add(result, 4, note);
  }
  if (!finding.why.empty()) add(result, 2, (measured ? "Why it costs: " : "") + finding.why);
  if (!finding.what_to_try.empty()) add(result, 2, (measured ? "What to try: " : "") + finding.what_to_try);
  if (!finding.limit_reason.empty()) add(result, 2, "The limit: " + finding.limit_reason);
  for (const std::string& text : finding.more) add(result, 2, text);
  if (!finding.saw.empty()) add(result, 2, "The program saw: " + finding.saw);
  for (const Printed& printed : finding.printed) {
    add(result, 2, "It printed on " + printed.stream + ":");
    add(result, 4, printed.text, true);
  }
  add_case(result, finding);
  return result;
}

std::string text_of(const Finding& finding) {
  std::string result;
  for (const Paragraph& paragraph : paragraphs_of(finding))
    result += std::string(static_cast<std::size_t>(paragraph.indent) + 2, ' ') + paragraph.text + "\n";
  return result;
}

std::string terminal_text(const Finding& finding) { return wrapped(paragraphs_of(finding)); }

std::string terminal_text_of_case(const Finding& finding) {
  std::vector<Paragraph> paragraphs;
  add_case(paragraphs, finding);
  return wrapped(paragraphs);
}

bool same_cause(const Finding& one, const Finding& other) {
  const auto cause_of = [](Finding finding) {
    finding.saw.clear();
    finding.printed.clear();
    finding.the_case.clear();
    finding.command.clear();
    return std::pair(finding.kind, text_of(finding));
  };
  return cause_of(one) == cause_of(other);
}

void for_each_text(Finding& finding, const std::function<std::string(const std::string&)>& change) {
  const auto apply = [&](std::string& text) { text = change(text); };
  for (auto* texts : {&finding.before, &finding.examples, &finding.facts, &finding.more})
    for (std::string& text : *texts) apply(text);
  for (std::string* text : {&finding.topic, &finding.subject, &finding.headline, &finding.why, &finding.what_to_try,
                            &finding.limit_reason, &finding.saw, &finding.the_case, &finding.command})
    apply(*text);
  for (Finding& other : finding.also) for_each_text(other, change);
  for (Place& place : finding.sites) {
    for (std::string* text : {&place.file, &place.function, &place.text, &place.label}) apply(*text);
    for (std::string& note : place.notes) apply(note);
  }
  for (Printed& printed : finding.printed) apply(printed.text);
  for (CaseValue& value : finding.values)
    if (auto* text = std::get_if<std::string>(&value.second)) apply(*text);
}

nlohmann::json to_json(const Finding& finding) {
  Json json = {{"version", kVersion},
               {"kind", spelling_of(finding.kind)},
               {"topic", finding.topic},
               {"subject", finding.subject},
               {"before", finding.before},
               {"headline", finding.headline},
               {"examples", finding.examples},
               {"facts", finding.facts},
               {"sites", Json::array()},
               {"evidence", Json::array()},
               {"limit", nullptr},
               {"why", finding.why},
               {"try", finding.what_to_try},
               {"limit_reason", finding.limit_reason},
               {"advice", finding.advice},
               {"more", finding.more},
               {"also", Json::array()},
               {"saw", finding.saw},
               {"printed", Json::array()},
               {"case", {{"text", finding.the_case}, {"values", Json::object()}}},
               {"command", finding.command},
               {"paragraphs", Json::array()}};
  for (const Place& place : finding.sites) json["sites"].push_back(to_json(place));
  for (const Figure& figure : finding.evidence)
    json["evidence"].push_back({{"name", figure.name}, {"value", figure.value}, {"unit", figure.unit}});
  if (finding.limit)
    json["limit"] = {{"value", finding.limit->value}, {"is", finding.limit->at_most ? "at_most" : "at_least"}};
  for (const Finding& other : finding.also) json["also"].push_back(to_json(other));
  for (const Printed& printed : finding.printed)
    json["printed"].push_back({{"stream", printed.stream}, {"text", printed.text}});
  for (const auto& [name, value] : finding.values)
    std::visit([&json, &name = name](const auto& held) { json["case"]["values"][name] = held; }, value);
  for (const Paragraph& paragraph : paragraphs_of(finding))
    json["paragraphs"].push_back({{"indent", paragraph.indent}, {"text", paragraph.text}, {"code", paragraph.code}});
  return json;
}

Finding finding_from_json(const nlohmann::json& json) {
  if (json.at("version") != kVersion) throw std::out_of_range("a finding of another version");
  const auto kind = finding_kind_of(json.at("kind").get<std::string>());
  if (!kind) throw std::out_of_range("a finding of an unknown kind");
  Finding finding;
  finding.kind = *kind;
  json.at("topic").get_to(finding.topic);
  json.at("subject").get_to(finding.subject);
  json.at("before").get_to(finding.before);
  json.at("headline").get_to(finding.headline);
  json.at("examples").get_to(finding.examples);
  json.at("facts").get_to(finding.facts);
  for (const Json& place : json.at("sites")) finding.sites.push_back(place_from_json(place));
  for (const Json& figure : json.at("evidence"))
    finding.evidence.push_back(
        {figure.at("name").get<std::string>(), figure.at("value").get<double>(), figure.at("unit").get<std::string>()});
  if (const Json& limit = json.at("limit"); !limit.is_null())
    finding.limit = Limit{limit.at("value").get<double>(), limit.at("is") == "at_most"};
  json.at("why").get_to(finding.why);
  json.at("try").get_to(finding.what_to_try);
  json.at("limit_reason").get_to(finding.limit_reason);
  finding.advice = json.value("advice", "");  // Older records have neither.
  json.at("more").get_to(finding.more);
  for (const Json& other : json.value("also", Json::array())) finding.also.push_back(finding_from_json(other));
  json.at("saw").get_to(finding.saw);
  for (const Json& printed : json.at("printed"))
    finding.printed.push_back({printed.at("stream").get<std::string>(), printed.at("text").get<std::string>()});
  json.at("case").at("text").get_to(finding.the_case);
  for (const auto& [name, value] : json.at("case").at("values").items()) {
    if (value.is_number_integer()) {
      finding.values.emplace_back(name, value.get<std::int64_t>());
    } else if (value.is_number()) {
      finding.values.emplace_back(name, value.get<double>());
    } else {
      finding.values.emplace_back(name, value.get<std::string>());
    }
  }
  json.at("command").get_to(finding.command);
  return finding;
}

std::string number_text(double value) {
  if (!std::isfinite(value)) return std::isnan(value) ? "nan" : value > 0 ? "infinite" : "-infinite";
  char text[64];
  const double size = std::fabs(value);
  if (size >= 1e15 || (size < 1e-4 && size > 0)) {
    std::snprintf(text, sizeof text, "%.3g", value);
    return text;
  }
  if (size >= 100 || value == std::round(value)) {
    std::snprintf(text, sizeof text, "%.0f", value);
    return text;
  }
  const int digits = 2 - static_cast<int>(std::floor(std::log10(size)));
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  std::string result = text;
  result.erase(result.find_last_not_of('0') + 1);
  if (result.back() == '.') result.pop_back();
  return result;
}

}  // namespace warpbook::grader

// The record of a finding: its text, its form in files, and what does not depend on its words.
#include "grader/judge/finding.h"

#include <cctype>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "common/testing/catch.h"

using namespace warpbook::grader;

namespace {

Finding example() {
  Finding finding = finding_of(FindingKind::too_much, "Too many sectors: 32; at most 4 is allowed.", "Turn it round.");
  finding.topic = "global_store_sectors_per_request";
  finding.before = {"The virtual GPU complained: a launch was refused"};
  finding.evidence = {{"found", 32, "sectors"}, {"ideal", 4.5, "sectors"}};
  finding.limit = Limit{4, true};
  finding.why = "Each costs.";
  finding.limit_reason = "32 floats are 4 sectors";
  finding.advice = "global_store";
  finding.sites = {{"labs/x/x.cu", 14, "x_kernel", "out[i] = in[j];", "The line that costs most: ", {"It stores."}}};
  finding.more = {"(It got no more.)"};
  finding.also = {finding_of(FindingKind::race, "A race in shared memory.")};
  finding.saw = "cudaErrorIllegalAddress";
  finding.printed = {{"stdout", "one\n  two"}};
  finding.the_case = "rows 3, in float[9]";
  finding.values = {{"rows", std::int64_t{3}}, {"scale", 0.5}, {"function", std::string("turn")}};
  finding.command = "ctest -R x";
  return finding;
}

/// As long, with the same digits and marks, and no letter in common.
std::string in_other_words(std::string text) {
  for (char& c : text) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>('a' + (c - 'a' + 13) % 26);
    if (c >= 'A' && c <= 'Z') c = static_cast<char>('A' + (c - 'A' + 13) % 26);
  }
  return text;
}

/// What is left of a text without its letters.
std::string without_letters(std::string text) {
  for (char& c : text)
    if (std::isalpha(static_cast<unsigned char>(c))) c = 'x';
  return text;
}

}  // namespace

TEST_CASE("a finding is read in one order, its parts named") {
  CHECK(text_of(example()) ==
        "  The virtual GPU complained: a launch was refused\n"
        "  Too many sectors: 32; at most 4 is allowed.\n"
        "    The line that costs most: labs/x/x.cu:14 in x_kernel\n"
        "        out[i] = in[j];\n"
        "      It stores.\n"
        "    Why it costs: Each costs.\n"
        "    What to try: Turn it round.\n"
        "    The limit: 32 floats are 4 sectors\n"
        "    (It got no more.)\n"
        "    The program saw: cudaErrorIllegalAddress\n"
        "    It printed on stdout:\n"
        "      one\n"
        "        two\n"
        "  The case: rows 3, in float[9]\n"
        "  Repeat this run: ctest -R x\n");
}

TEST_CASE("a finding is the same after it was written and read") {
  const Finding finding = example();
  const nlohmann::json json = to_json(finding);
  CHECK(json["kind"] == "too_much");
  CHECK(json["limit"]["is"] == "at_most");
  CHECK(json["sites"][0]["line"] == 14);
  CHECK(json["case"]["values"]["rows"] == 3);
  CHECK(json["evidence"][1]["value"] == 4.5);
  CHECK(json["advice"] == "global_store");
  CHECK(json["also"][0]["kind"] == "race");
  CHECK(to_json(finding_from_json(json)) == json);
  nlohmann::json older = json;
  older.erase("advice");
  older.erase("also");
  CHECK(finding_from_json(older).also.empty());
  nlohmann::json other = json;
  other["kind"] = "something_else";
  CHECK_THROWS(finding_from_json(other));
  other = json;
  other["version"] = 2;
  CHECK_THROWS(finding_from_json(other));
}

TEST_CASE("rewording changes the text and nothing else") {
  Finding reworded = example();
  for_each_text(reworded, [](const std::string& text) { return text + " indeed"; });
  nlohmann::json one = to_json(example()), other = to_json(reworded);
  CHECK(one["paragraphs"] != other["paragraphs"]);
  for (const char* key : {"kind", "advice", "evidence", "limit"}) CHECK(one[key] == other[key]);
  CHECK(one["also"][0]["headline"] != other["also"][0]["headline"]);
  CHECK(one["sites"][0]["line"] == other["sites"][0]["line"]);
}

TEST_CASE("what tests found in answers, of every kind, differs in other words by letters alone") {
  std::ifstream in(WARPBOOK_VERDICTS);
  const nlohmann::json recorded = nlohmann::json::parse(in);
  std::set<FindingKind> kinds;
  for (const auto& verdict : recorded.at("verdicts")) {
    for (const auto& test : verdict.at("tests")) {
      if (test.at("finding").is_null()) continue;
      const Finding finding = finding_from_json(test.at("finding"));
      Finding reworded = finding;
      for_each_text(reworded, in_other_words);
      INFO(text_of(finding));
      CHECK(reworded.headline != finding.headline);
      CHECK(without_letters(text_of(reworded)) == without_letters(text_of(finding)));
      CHECK(without_letters(terminal_text(reworded)) == without_letters(terminal_text(finding)));
      CHECK(without_letters(terminal_text_of_case(reworded)) == without_letters(terminal_text_of_case(finding)));
      CHECK_FALSE(same_cause(finding, reworded));
      kinds.insert(finding.kind);
    }
  }
  for (int i = 0; i <= static_cast<int>(FindingKind::grader_failed); ++i) {
    INFO(spelling_of(static_cast<FindingKind>(i)));
    CHECK(kinds.count(static_cast<FindingKind>(i)) == 1);
  }
}

TEST_CASE("every kind has a spelling of its own") {
  for (int i = 0; i <= static_cast<int>(FindingKind::grader_failed); ++i) {
    const auto kind = static_cast<FindingKind>(i);
    CHECK(finding_kind_of(spelling_of(kind)) == kind);
  }
  CHECK_FALSE(finding_kind_of("no such kind").has_value());
}

TEST_CASE("findings that differ only in their case have one cause") {
  Finding other = example();
  other.the_case = "rows 4, in float[16]";
  other.command = "ctest -R y";
  other.saw.clear();
  other.printed.clear();
  CHECK(same_cause(example(), other));
  CHECK(terminal_text_of_case(other) == "  The case: rows 4, in float[16]\n  Repeat this run: ctest -R y\n");
  other.sites[0].line = 15;
  CHECK_FALSE(same_cause(example(), other));
}

TEST_CASE("prose is wrapped for a terminal, code and commands are not") {
  Finding finding = finding_of(FindingKind::requirement, std::string(40, 'a') + " " + std::string(70, 'b'));
  finding.command = std::string(60, 'c') + " " + std::string(60, 'd');
  CHECK(terminal_text(finding) == "  " + std::string(40, 'a') + "\n    " + std::string(70, 'b') +
                                      "\n  Repeat this run: " + finding.command + "\n");
  CHECK(text_of(finding).substr(0, 113) == "  " + finding.headline);
}

TEST_CASE("numbers have at most three significant digits") {
  const std::pair<double, const char*> cases[] = {
      {0, "0"},         {4, "4"},         {4.5, "4.5"},    {0.0123456, "0.0123"}, {99.96, "100"},
      {1234.5, "1234"}, {12.345, "12.3"}, {1e-7, "1e-07"}, {-2.5, "-2.5"},        {268435456, "268435456"}};
  for (const auto& [value, text] : cases) CHECK(number_text(value) == text);
}

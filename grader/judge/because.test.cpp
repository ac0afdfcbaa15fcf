// Lines `because:`: what they may say, what they are held against, and that words of a verdict do not matter.
#include "grader/judge/because.h"

#include <fstream>
#include <nlohmann/json.hpp>

#include "common/testing/catch.h"

using namespace warpbook::grader;

namespace {

/// A wrong result whose cause checkers have found.
Finding example() {
  Finding finding = finding_of(FindingKind::wrong_result, "'out' is wrong in 3 of 64 elements.");
  finding.topic = "every_kth";
  finding.subject = "out";
  finding.evidence = {{"wrong_elements", 3, "elements"}, {"largest_error", 0.33333, ""}};
  Finding race = finding_of(FindingKind::race, "A race in shared memory.");
  race.topic = "read_after_write";
  race.subject = "shared";
  race.advice = "block_barrier";
  race.sites = {{"grader/labs/x/x/wrong/x.cu", 14, "wrong_x::sum", "tile[i] = in[i];", "writes: ", {}},
                {"grader/labs/x/x/wrong/x.cu", 16, "sum", "total += tile[j];", "reads: ", {}}};
  finding.also = {race};
  return finding;
}

Finding costly() {
  Finding finding = finding_of(FindingKind::too_much, "Too many sectors.");
  finding.topic = "global_store_sectors_per_request";
  finding.evidence = {{"found", 31.96875, "sectors"}};
  finding.limit = Limit{4.5, true};
  return finding;
}

bool holds(const std::string& text, const Finding& finding) {
  return warpbook::grader::holds(parse_because(text), finding);
}

/// The message of the error; empty if there is none.
std::string error_of(const std::string& text, const Finding& finding = example()) {
  try {
    holds(text, finding);
  } catch (const BecauseError& error) {
    return error.what();
  }
  return "";
}

/// The sentences of a finding, and of those in it, in other words.
void reword(Finding& finding) {
  for (std::string* text :
       {&finding.headline, &finding.why, &finding.what_to_try, &finding.limit_reason, &finding.saw, &finding.the_case})
    *text = "Other words.";
  for (auto* texts : {&finding.before, &finding.examples, &finding.facts, &finding.more})
    for (std::string& text : *texts) text = "Other words.";
  for (Place& place : finding.sites) {
    place.label = "Other words.";
    for (std::string& note : place.notes) note = "Other words.";
  }
  for (Finding& other : finding.also) reword(other);
}

}  // namespace

TEST_CASE("a line names the kind of a finding and values of its fields") {
  CHECK(holds("wrong_result", example()));
  CHECK(holds("wrong_result topic=every_kth subject=out wrong_elements=3", example()));
  CHECK(holds("  wrong_result   topic='every_kth' ", example()));
  CHECK_FALSE(holds("never_written", example()));
  CHECK_FALSE(holds("wrong_result topic=zeros", example()));
  CHECK_FALSE(holds("wrong_result topic=every", example()));
  CHECK_FALSE(holds("wrong_result topic=every_kth subject=in", example()));
  CHECK_FALSE(holds("wrong_result wrong_elements=30", example()));
  CHECK_FALSE(holds("wrong_result limit=4.5", example()));
}

TEST_CASE("it may be about what was found besides, but all of it about the same finding") {
  CHECK(holds("race subject=shared advice=block_barrier", example()));
  CHECK_FALSE(holds("race subject=out", example()));
  CHECK_FALSE(holds("race topic=every_kth", example()));
  CHECK_FALSE(holds("race subject=shared", costly()));
}

TEST_CASE("one of the places must be the named one, and its code is found by a part of it") {
  CHECK(holds("race line=14 line=16 function=sum file=x.cu", example()));
  CHECK(holds("race code=\"tile[i] = in[i]\" code='+= tile[j]'", example()));
  CHECK_FALSE(holds("race line=15", example()));
  CHECK_FALSE(holds("race line=1", example()));
  CHECK_FALSE(holds("race file=y.cu", example()));
  CHECK_FALSE(holds("race function=su", example()));
  CHECK_FALSE(holds("race code=tile[k]", example()));
}

TEST_CASE("numbers are written with the digits that messages show") {
  CHECK(holds("too_much found=32 limit=4.5", costly()));
  CHECK(holds("wrong_result largest_error=0.333", example()));
  CHECK_FALSE(holds("too_much found=31", costly()));
  CHECK_FALSE(holds("too_much limit=4", costly()));
}

TEST_CASE("what cannot hold for any finding is an error that says what there is") {
  CHECK_THAT(error_of("a race in shared memory"),
             Catch::Contains("'a'") && Catch::Contains(" race ") && Catch::Contains(" grader_failed"));
  CHECK_THAT(error_of("wrong_result array=out"),
             Catch::Contains("'array'") && Catch::Contains("topic, subject, advice") && Catch::Contains("evidence"));
  CHECK_THAT(error_of("race wrong_elements=3"), Catch::Contains("'wrong_elements'"));
  CHECK_THAT(error_of("wrong_result out"), Catch::Contains("key=value"));
  CHECK_THAT(error_of("wrong_result =out"), Catch::Contains("key=value"));
  CHECK_THAT(error_of("wrong_result topic"), Catch::Contains("key=value"));
  CHECK_THAT(error_of("wrong_result topic="), Catch::Contains("topic has no value"));
  CHECK_THAT(error_of("wrong_result topic='every"), Catch::Contains("no quote at its end"));
  CHECK_THAT(error_of("wrong_result topic='every'kth"), Catch::Contains("no space"));
  CHECK_THAT(error_of(""), Catch::Contains("there are: wrong_result"));
  CHECK(error_of("wrong_result topic=every_kth").empty());
}

TEST_CASE("what a finding has can be copied into a line") {
  CHECK(because_of(costly()) == "too_much topic=global_store_sectors_per_request limit=4.5 found=32\n");
  CHECK(because_of(example()) ==
        "wrong_result topic=every_kth subject=out wrong_elements=3 largest_error=0.333\n"
        "race topic=read_after_write subject=shared advice=block_barrier function=sum function=sum file=x.cu file=x.cu "
        "line=14 line=16 code=\"tile[i] = in[i];\" code=\"total += tile[j];\"\n");
}

TEST_CASE("whatever a line can say of a recorded verdict holds, in other words too") {
  std::ifstream in(WARPBOOK_VERDICTS);
  const nlohmann::json recorded = nlohmann::json::parse(in);
  std::size_t findings = 0;
  for (const nlohmann::json& verdict : recorded.at("verdicts")) {
    for (const nlohmann::json& test : verdict.at("tests")) {
      if (test.at("finding").is_null()) continue;
      Finding finding = finding_from_json(test.at("finding"));
      const std::string said = because_of(finding);
      reword(finding);
      CHECK(because_of(finding) == said);
      const std::string first = said.substr(0, said.find('\n'));
      INFO(first);
      CHECK(holds(first, finding));
      ++findings;
    }
  }
  CHECK(findings > 40);
}

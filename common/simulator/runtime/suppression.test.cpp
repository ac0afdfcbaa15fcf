// Suppressions: their syntax, what they match, and the messages for invalid ones.
#include "common/simulator/runtime/suppression.h"

#include <stdexcept>

#include "common/testing/catch.h"

using namespace warpbook::simulator;
using namespace warpbook::simulator::runtime;

namespace {

CheckFinding race() {
  CheckFinding finding;
  finding.check = Check::race;
  finding.kernel = "add(float *, int)";
  CheckSite site;
  site.file = "/home/me/lab/add.cu";
  site.line = 14;
  finding.sites = {CheckSite(), site};
  return finding;
}

bool matches(const char* rule) { return Suppression::parse(rule).matches(race()); }

std::string error_of(const char* rule) {
  try {
    Suppression::parse(rule);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a suppression names a kernel by its whole name, by what is before its arguments, or by a pattern") {
  CHECK(matches("kernel=add(float *, int)"));
  CHECK(matches("kernel=add"));
  CHECK(matches("kernel=a*"));
  CHECK(matches("kernel=add(*)"));
  CHECK_FALSE(matches("kernel=ad"));
  CHECK_FALSE(matches("kernel=subtract"));
  CHECK_FALSE(Suppression::parse("kernel=*").matches(CheckFinding()));
  CheckFinding hidden = race();
  hidden.kernel = "(anonymous namespace)::add(void (*)(int), float *)";
  CHECK(Suppression::parse("kernel=(anonymous namespace)::add").matches(hidden));
  CHECK(Suppression::parse("kernel=*::add").matches(hidden));
  CHECK_FALSE(Suppression::parse("kernel=add").matches(hidden));
}

TEST_CASE("a suppression names a line by the end of its path, whichever site it is of") {
  CHECK(matches("add.cu:14"));
  CHECK(matches("lab/add.cu:14"));
  CHECK(matches("/home/me/lab/add.cu:14"));
  CHECK_FALSE(matches("dd.cu:14"));
  CHECK_FALSE(matches("add.cu:15"));
  CHECK_FALSE(matches("other/add.cu:14"));
}

TEST_CASE("all parts of a suppression must match, and commas in a kernel's name are its own") {
  CHECK(matches("check=race"));
  CHECK_FALSE(matches("check=leak"));
  CHECK(matches("kernel=add(float *, int),add.cu:14, check=race"));
  CHECK_FALSE(matches("kernel=add(float *, int),add.cu:15"));
  CHECK_FALSE(matches("kernel=add,check=init"));
}

TEST_CASE("rules are separated by line ends and semicolons") {
  CHECK(parse_suppressions("").empty());
  CHECK(parse_suppressions("\n;\n").empty());
  CHECK(parse_suppressions("kernel=add(int, int);check=leak\na.cu:3\n").size() == 3);
}

TEST_CASE("an invalid suppression is reported with what is wrong and the valid forms") {
  const auto says = [](const char* rule, const std::string& text) {
    INFO(error_of(rule));
    CHECK(error_of(rule).find(text) != std::string::npos);
    CHECK(error_of(rule).find("write kernel=NAME, FILE:LINE or check=NAME") != std::string::npos);
  };
  says("check=speed", "names the unknown check 'speed'");
  says("kernel=", "names no kernel");
  says("add.cu", "has the part 'add.cu', which is not valid");
  says("add.cu:zero", "has the part 'add.cu:zero'");
  says("add.cu:0", "has the part 'add.cu:0'");
  says("check=race,,add.cu:3", "has an empty part");
  says("a.cu:1,b.cu:2", "names two lines");
  says("kernel=a,kernel=b", "names two kernels");
  CHECK_THROWS_AS(parse_suppressions("check=race;nothing"), std::invalid_argument);
}

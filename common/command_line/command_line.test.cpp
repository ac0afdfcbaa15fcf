// What programs get from their command lines.
#include "common/command_line/command_line.h"

#include <cstdlib>
#include <initializer_list>
#include <stdexcept>

#include "common/testing/catch.h"

using warpbook::CommandLine;

namespace {

constexpr int kWrong = 7;

std::optional<int> parse(CommandLine& line, std::initializer_list<const char*> words) {
  std::vector<const char*> all = {"program"};
  all.insert(all.end(), words);
  return line.parse(static_cast<int>(all.size()), all.data(), kWrong);
}

}  // namespace

TEST_CASE("options, flags and positional arguments are read, and of an option given twice the last") {
  std::string name = "none", kind = "a";
  std::uint64_t seed = 0;
  int size = 0;
  bool is_large = false;
  std::vector<std::string> files;
  CommandLine line("Test.");
  line.add("--name", name, "").show_default();
  line.add("--kind", kind, "").one_of({"a", "b"});
  line.add("SEED", seed, "").required();
  line.add("SIZE", size, "").required();
  line.flag("--large", is_large, "");
  line.add("FILE", files, "").required();
  SECTION("read") {
    CHECK(parse(line, {"--name", "x", "18446744073709551615", "--large", "-3", "f", "g", "--name", "y"}) ==
          std::nullopt);
    CHECK(name == "y");
    CHECK(seed == 18446744073709551615u);
    CHECK(size == -3);
    CHECK(is_large);
    CHECK(files == std::vector<std::string>{"f", "g"});
  }
  SECTION("what is missing, no number or no such word ends the program") {
    CHECK(parse(line, {"1", "2"}) == kWrong);
    CHECK(parse(line, {"one", "2", "f"}) == kWrong);
    CHECK(parse(line, {"1", "2", "f", "--kind", "c"}) == kWrong);
    CHECK(parse(line, {"1", "2", "f", "--unknown"}) == kWrong);
  }
  SECTION("the help does, too") { CHECK(parse(line, {"--help"}) == 0); }
}

TEST_CASE("a program's own reading may refuse, and is given the environment's text") {
  std::string seen;
  CommandLine line("Test.");
  line.add(
          "--seed",
          [&seen](const std::string& text) {
            if (text == "bad") throw std::invalid_argument("it is bad");
            seen = text;
          },
          "")
      .variable("WARPBOOK_COMMAND_LINE_TEST");
  CHECK(parse(line, {"--seed", "bad"}) == kWrong);
  CHECK(parse(line, {"--seed", "good"}) == std::nullopt);
  CHECK(seen == "good");
  setenv("WARPBOOK_COMMAND_LINE_TEST", "set", 1);
  CHECK(parse(line, {}) == std::nullopt);
  unsetenv("WARPBOOK_COMMAND_LINE_TEST");
  CHECK(seen == "set");
}

TEST_CASE("a program to run keeps its own options") {
  std::string record;
  std::vector<std::string> words;
  CommandLine line("Test.");
  line.add("--record", record, "");
  line.rest(words, "PROGRAM");
  SECTION("with one of ours before it") {
    CHECK(parse(line, {"--record", "file", "program", "--record", "its own", "-x", "--help"}) == std::nullopt);
    CHECK(record == "file");
    CHECK(words == std::vector<std::string>{"program", "--record", "its own", "-x", "--help"});
  }
  SECTION("or none") { CHECK(parse(line, {}) == kWrong); }
}

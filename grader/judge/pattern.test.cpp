// Matches of the C library's regular expressions, with their groups.
#include "grader/judge/pattern.h"

#include <stdexcept>
#include <string>
#include <vector>

#include "common/testing/catch.h"

using warpbook::grader::Pattern;

namespace {

using Groups = std::vector<std::string_view>;

TEST_CASE("a match is found with its groups, from a place on") {
  const Pattern number("([a-z]+)(-?)=([0-9]{1,3})");
  const std::string text = "x=1, size-=20;";
  CHECK(number.search(text) == Groups{"x=1", "x", "", "1"});
  CHECK(number.search(text, 1) == Groups{"size-=20", "size", "-", "20"});
  CHECK(number.search(text, 6) == Groups{"ize-=20", "ize", "-", "20"});
  CHECK(number.search(text, 13).empty());
  CHECK(number.search("").empty());
}

TEST_CASE("a group that takes no part in the match is empty, and a text may hold a zero byte") {
  CHECK(Pattern("a(b)?(c)").search("--ac") == Groups{"ac", "", "c"});
  CHECK(Pattern("c.").search(std::string_view("a\0bcd", 5)) == Groups{"cd"});
}

TEST_CASE("an expression that is none is refused") { CHECK_THROWS_AS(Pattern("(a"), std::invalid_argument); }

}  // namespace

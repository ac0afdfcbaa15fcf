// Output of answers, made safe.
#include "grader/judge/plain_text.h"

#include "common/testing/catch.h"

using warpbook::grader::plain_text;

TEST_CASE("text in any language is unchanged") {
  CHECK(plain_text("a\n\tb \xc3\xa9 \xe2\x82\xac \xf0\x9f\x99\x82", 100) ==
        "a\n\tb \xc3\xa9 \xe2\x82\xac \xf0\x9f\x99\x82");
}

TEST_CASE("control characters and changes of the writing direction are replaced") {
  CHECK(plain_text(std::string("\x1b[31m\x07\r\0\x7f", 9), 100) == "?[31m????");
  CHECK(plain_text("\xc2\x9b!", 100) == "?!");
  CHECK(plain_text("a\xe2\x80\xae"
                   "b\xe2\x81\xa6"
                   "c",
                   100) == "a?b?c");
}

TEST_CASE("a long text is cut, never within a character") {
  CHECK(plain_text("abcdef", 3) == "abc...");
  CHECK(plain_text("ab\xe2\x82\xac", 3) == "ab...");
  CHECK(plain_text("abc", 3) == "abc");
}

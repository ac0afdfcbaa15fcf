// Which launches pass the filters of a profile.
#include "common/simulator/runtime/profile_filter.h"

#include "common/testing/catch.h"

using namespace warpbook::simulator::runtime;

namespace {

/// Ranges that are all open: first those of a push/pop stack, then those of the process. "domain@text"
struct Open {
  Open(const std::vector<std::string>& pushed, const std::vector<std::string>& started) {
    for (const std::string& text : pushed) add(text, true);
    for (const std::string& text : started) add(text, false);
  }
  void add(const std::string& text, bool nests) {
    AnnotatedRange range;
    const std::size_t at = text.find('@');
    range.annotation.domain = at == std::string::npos ? "" : text.substr(0, at);
    range.annotation.text = at == std::string::npos ? text : text.substr(at + 1);
    range.nests = nests;
    places.push_back(static_cast<std::uint32_t>(ranges.size()));
    ranges.push_back(range);
  }
  std::vector<AnnotatedRange> ranges;
  std::vector<std::uint32_t> places;
};

bool matches(const std::string& pattern, const Open& open) {
  return RangePattern(pattern).matches(open.ranges, open.places);
}

bool takes(ProfileFilter& filter, const std::string& kernel) { return filter.takes(kernel, {}, {}); }

}  // namespace

TEST_CASE(
    "a kernel is named exactly, without namespace, template arguments and parameters, or found by an expression") {
  ProfileFilter exact({.kernel_name = "add"});
  CHECK(takes(exact, "add(const float *, int)"));
  CHECK(takes(exact, "(anonymous namespace)::add<int, other::T<3>>(int *)"));
  CHECK(takes(exact, "add"));
  CHECK_FALSE(takes(exact, "add_all(int *)"));
  CHECK_FALSE(takes(exact, "add::other(int *)"));
  ProfileFilter found({.kernel_name = "regex:^(add|sub)_"});
  CHECK(takes(found, "sub_all(int *)"));
  CHECK_FALSE(takes(found, "my_sub_all(add_ *)"));
  CHECK_THROWS_WITH(ProfileFilter({.kernel_name = "regex:("}), Catch::Contains("'(' is not a regular expression"));
}

TEST_CASE("only launches that match count for skip and count") {
  ProfileFilter filter({.kernel_name = "a", .launch_skip = 1, .launch_count = 2});
  std::string taken;
  for (const char* kernel : {"b", "a", "b", "a", "b", "a", "a", "b"}) taken += takes(filter, kernel) ? '1' : '0';
  CHECK(taken == "00010100");
  ProfileFilter all({.launch_skip = 2});
  CHECK_FALSE(takes(all, "a"));
  CHECK_FALSE(takes(all, "a"));
  CHECK(takes(all, "a"));
}

TEST_CASE("nothing is collected until the program says so, if that is wanted") {
  ProfileFilter filter({.from_start = false});
  CHECK_FALSE(filter.collects());
  filter.collect(true);
  CHECK(filter.collects());
  filter.collect(false);
  CHECK_FALSE(filter.collects());
  ProfileFilter always(FilterOptions{});
  always.collect(false);
  CHECK(always.collects());
}

TEST_CASE("push/pop ranges are named by their place in the stack") {
  const Open open({"a", "b", "c"}, {"s"});
  for (const char* yes : {"a/", "b/", "c/", "a/b", "b/c", "a/b/c", "[a", "[a/b", "c]", "b/c]", "[a/b/c]", "a/*/c",
                          "regex:^[bx]$/", "[a/*/c]", "*/c"}) {
    CAPTURE(yes);
    CHECK(matches(yes, open));
  }
  for (const char* no : {"d/", "a/c", "c/b", "[b", "b]", "[a]", "a/*/b", "s/", "x@a/", "a/b/c/d"}) {
    CAPTURE(no);
    CHECK_FALSE(matches(no, open));
  }
}

TEST_CASE("start/end ranges are open in any order") {
  const Open open({"a"}, {"s", "t", "lib@u"});
  for (const char* yes : {"s", "t", "t,s", "lib@u", "regex:^s|x$"}) {
    CAPTURE(yes);
    CHECK(matches(yes, open));
  }
  for (const char* no : {"a", "s,u", "u", "lib@s", "s,x"}) {
    CAPTURE(no);
    CHECK_FALSE(matches(no, open));
  }
}

TEST_CASE("domains have their own stacks, and a backslash escapes a slash") {
  const Open open({"a", "lib@b", "c/d"}, {});
  CHECK(matches("lib@[b]", open));
  CHECK(matches("a/c\\/d", open));
  CHECK_FALSE(matches("a/b", open));
}

TEST_CASE("an expression that names nothing, or mixes the kinds, is refused") {
  CHECK_THROWS_WITH(RangePattern(""), Catch::Contains("a range without a name"));
  CHECK_THROWS_WITH(RangePattern("a//b"), Catch::Contains("a range without a name"));
  CHECK_THROWS_WITH(RangePattern("a,b/c"), Catch::Contains("mixes start/end ranges"));
}

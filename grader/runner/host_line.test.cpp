// From addr2line's output to a line of the student's file.
#include "grader/runner/host_line.h"

#include "common/testing/catch.h"

using namespace warpbook::grader;

TEST_CASE("an instruction of host code belongs to the innermost line outside of headers") {
  const auto own = parse_host_lines(
      "/usr/include/c++/13/bits/stl_algo.h:12\n/opt/cuda/include/crt/host.h:3\n/lab/a.cu:14 (discriminator 2)\n"
      "/lab/a.cu:20\n");
  REQUIRE(own.has_value());
  CHECK(own->file == "/lab/a.cu");
  CHECK(own->line == 14);
  CHECK_FALSE(parse_host_lines("??:0\n").has_value());
  CHECK_FALSE(parse_host_lines("/lab/a.cu:?\n").has_value());
  CHECK_FALSE(parse_host_lines("").has_value());
}

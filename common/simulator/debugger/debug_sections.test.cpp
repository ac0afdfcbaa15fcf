// Sections of PTX as bytes.
#include "common/simulator/debugger/debug_sections.h"

#include "common/simulator/ptx/parser.h"
#include "common/testing/catch.h"

using namespace warpbook::simulator;
using namespace warpbook::simulator::debugger;

namespace {

std::uint64_t number_at(const std::vector<std::uint8_t>& bytes, std::size_t at, unsigned size) {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < size; ++i) value |= std::uint64_t{bytes.at(at + i)} << (8 * i);
  return value;
}

constexpr const char* kText = R"(.version 9.0
.target sm_90, debug
.address_size 64
.global .u32 counter;
.entry f()
{
$L__func_begin0:
  ret;
$L__tmp1:
}
.section .debug_abbrev
{
.b8 1
.b8 17,2
}
.section .debug_info
{
$L__start:
.b32 .debug_abbrev
.b64 $L__func_begin0
.b64 $L__tmp1
.b64 counter
.b64 counter+8
.b16 $L__end-$L__start
$L__end:
.b8 255
}
)";

}  // namespace

TEST_CASE("a section's numbers, labels and symbols become bytes") {
  const DebugSections sections = read_debug_sections(kText);
  REQUIRE(sections.bytes.size() == 2);
  CHECK(sections.bytes.at(".debug_abbrev") == std::vector<std::uint8_t>{1, 17, 2});
  const auto& info = sections.bytes.at(".debug_info");
  REQUIRE(info.size() == 39);
  CHECK(number_at(info, 0, 4) == 0);
  CHECK(number_at(info, 4, 8) == kLineBase + 7);  // The line of the label in the text.
  CHECK(number_at(info, 12, 8) == kLineBase + 9);
  CHECK(number_at(info, 20, 8) == kSymbolBase);
  CHECK(number_at(info, 28, 8) == kSymbolBase + 8);
  CHECK(number_at(info, 36, 2) == 38);
  CHECK(info[38] == 255);
  CHECK(sections.symbols == std::vector<std::string>{"counter"});
}

TEST_CASE("a text without debug information has no sections") {
  CHECK(read_debug_sections(".version 9.0\n.target sm_90\n").bytes.empty());
}

TEST_CASE("a section with what none may hold is refused") {
  CHECK_THROWS_AS(read_debug_sections(".section .debug_info\n{\n.f32 1\n}"), ptx::ParseError);
  CHECK_THROWS_AS(read_debug_sections(".section .debug_info\n{\n.b8 ;\n}"), ptx::ParseError);
}

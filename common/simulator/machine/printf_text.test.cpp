// What runtime/tests/h200_printf.txt cannot hold: output that is undefined on an H200, or too long.
#include "common/simulator/machine/printf_text.h"

#include <vector>

#include "common/testing/catch.h"

using namespace warpbook::simulator;

namespace {

PrintfText print(const std::string& format, const std::vector<std::uint64_t>& values) {
  std::size_t next = 0;
  return printf_text(format, {[&](unsigned) { return values.at(next++); },
                              [](std::uint64_t address) { return "at " + std::to_string(address); }});
}

}  // namespace

// Of "%ld|%zu|%d" an H200 prints the first two arguments, and for the third one what happens to be in a register.
TEST_CASE("a conversion that printf does not know prints the argument of the next one, which has none then") {
  const PrintfText printed = print("%ld|%zu|%d|%d\n", {7, 4, 5});
  CHECK(printed.text == "7|4|0|5\n");
  CHECK(printed.count == 3);
  CHECK(print("%zu|%f", {0x3ff8000000000000}).text == "0|1.500000");
  CHECK(print("%zx|%td|%*s", {3, 16}).text == "10|0|(null)");
  CHECK(print("%d|%zu", {1}).text == "1|%zu");
  CHECK(print("%zf|%d", {1}).text == "%zf|1");
}

TEST_CASE("at most a mebibyte is printed of a conversion") {
  CHECK(print("%2000000d", {1}).text.size() == 1 << 20);
  CHECK(print("%99999999999d|", {1}).text == "|");
  CHECK(print("%s", {16}).text == "at 16");
}

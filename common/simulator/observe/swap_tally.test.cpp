// The tally of compare and swaps by word.
#include "common/simulator/observe/swap_tally.h"

#include <cmath>
#include <cstdint>

#include "common/testing/catch.h"

using namespace warpbook::simulator;

namespace {

bool within_a_tenth(double value, double expected) { return std::abs(value - expected) < 0.1 * expected; }

}  // namespace

TEST_CASE("Few words have a count each") {
  SwapTally tally;
  for (int k = 0; k < 5; ++k) tally.note(7);
  for (int k = 0; k < 3; ++k) tally.note(0);
  CHECK(tally.sums().swaps == 8);
  CHECK(tally.sums().words == 2);
  CHECK(tally.sums().squares == 25 + 9);
  tally.clear();
  CHECK(tally.sums().words == 0);
}

TEST_CASE("Many words are known by a sample") {
  SwapTally tally;
  for (std::uint64_t word = 0; word < 100000; ++word)
    for (int k = 0; k < 3; ++k) tally.note(word * 3);
  CHECK(within_a_tenth(tally.sums().words, 100000));
  CHECK(within_a_tenth(tally.sums().swaps, 300000));
  CHECK(within_a_tenth(tally.sums().squares, 900000));
}

TEST_CASE("The sums do not depend on who counted what") {
  SwapTally one, left, right, both;
  for (std::uint64_t word = 0; word < 30000; ++word) {
    one.note(word % 9000);
    (word < 10000 ? left : right).note(word % 9000);
  }
  both.add(left);
  both.add(right);
  CHECK(both.sums().swaps == one.sums().swaps);
  CHECK(both.sums().words == one.sums().words);
  CHECK(both.sums().squares == one.sums().squares);
}

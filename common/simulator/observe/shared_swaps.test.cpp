// Changes of words of shared memory by atomics that are loops.
#include "common/simulator/observe/shared_swaps.h"

#include "common/testing/catch.h"

using namespace warpbook::simulator;

TEST_CASE("the word that changes most often counts, and each block begins anew") {
  SharedSwaps swaps;
  const std::uint32_t first[] = {0, 4, 8, 4}, second[] = {4, 4096};
  swaps.note(first, 4);
  swaps.note(second, 2);
  CHECK(swaps.finish() == 3);
  CHECK(swaps.finish() == 0);
  swaps.note(second, 2);
  CHECK(swaps.finish() == 1);
}

// The L1 of a block: which sectors hit.
#include "common/simulator/observe/l1_cache.h"

#include "common/testing/catch.h"

using namespace warpbook::simulator;

TEST_CASE("sectors of a line are found one by one") {
  L1Cache cache(16 * 1024);
  CHECK(cache.load(7, 0b0011) == 0);
  CHECK(cache.load(7, 0b0110) == 0b0010);
  CHECK(cache.load(7, 0b1111) == 0b0111);
  CHECK(cache.load(8, 0b1111) == 0);
}

TEST_CASE("a new block finds nothing") {
  L1Cache cache(16 * 1024);
  cache.load(7, 0xf);
  cache.clear();
  CHECK(cache.load(7, 0xf) == 0);
  CHECK(cache.load(7, 0xf) == 0xf);
}

TEST_CASE("what fits is kept, what does not is replaced") {
  L1Cache cache(64 * 1024);  // 512 lines
  unsigned hits = 0;
  for (int pass = 0; pass < 2; ++pass)
    for (std::uint64_t line = 0; line < 128; ++line) hits += cache.load(1000 + line * 37, 1) != 0 ? 1 : 0;
  CHECK(hits > 110);  // A quarter of the capacity: few sets have more than four.
  cache.clear();
  hits = 0;
  for (int pass = 0; pass < 2; ++pass)
    for (std::uint64_t line = 0; line < 8192; ++line) hits += cache.load(line, 1) != 0 ? 1 : 0;
  CHECK(hits == 0);
}

TEST_CASE("a cache without capacity misses") {
  L1Cache cache(0);
  cache.load(7, 0xf);
  CHECK(cache.load(7, 0xf) == 0);
}

TEST_CASE("many blocks later nothing of an old one is found") {
  L1Cache cache(4 * 1024);
  cache.load(7, 0xf);
  for (int block = 0; block < 100000; ++block) cache.clear();
  CHECK(cache.load(7, 0xf) == 0);
}

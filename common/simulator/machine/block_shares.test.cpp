// Every block runs once and in order, whichever worker takes it.
#include "common/simulator/machine/block_shares.h"

#include "common/testing/catch.h"

using warpbook::simulator::BlockShares;

TEST_CASE("every block is taken once, each worker's in order") {
  for (const std::uint64_t blocks : {1u, 7u, 8u, 64u, 65u, 1000u}) {
    for (const std::uint64_t chunk : {1u, 8u}) {
      BlockShares shares(blocks, chunk);
      std::uint64_t next = 0;
      for (BlockShares::Range range = shares.take(); range.size() != 0; range = shares.take()) {
        CHECK(range.begin == next);
        CHECK(range.size() <= chunk);
        next = range.end;
      }
      CHECK(next == blocks);
      CHECK(shares.take().size() == 0);
    }
  }
}

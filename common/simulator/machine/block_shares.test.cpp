// Every block is run once, whoever asks, and workers keep to stretches of their own as long as there is work.
#include "common/simulator/machine/block_shares.h"

#include "common/testing/catch.h"

using warpbook::simulator::BlockShares;

TEST_CASE("every block is taken once, in whatever order workers ask") {
  for (const std::uint64_t blocks : {1u, 7u, 8u, 64u, 65u, 1000u}) {
    for (const std::size_t workers : {1u, 2u, 3u, 8u}) {
      for (const std::uint64_t chunk : {1u, 8u}) {
        BlockShares shares(blocks, workers, chunk);
        std::vector<int> taken(blocks, 0);
        std::uint32_t random = 1;
        for (std::uint64_t total = 0; total < blocks;) {
          random = random * 1664525u + 1013904223u;
          // One of them asks most often.
          const std::size_t asks = random >> 30 == 0 ? (random >> 8) % workers : 0;
          const BlockShares::Range range = shares.take(asks);
          REQUIRE(range.begin < range.end);
          REQUIRE(range.end <= blocks);
          CHECK(range.size() <= chunk);
          for (std::uint64_t b = range.begin; b < range.end; ++b) ++taken[b];
          total += range.size();
        }
        CHECK(taken == std::vector<int>(blocks, 1));
        for (std::size_t i = 0; i < workers; ++i) CHECK(shares.take(i).size() == 0);
      }
    }
  }
}

TEST_CASE("a worker alone has all of them, even if others were expected") {
  BlockShares shares(100, 4, 8);
  std::uint64_t next = 0;
  for (BlockShares::Range range = shares.take(0); range.size() != 0; range = shares.take(0)) next += range.size();
  CHECK(next == 100);
}

TEST_CASE("two workers that are as fast as each other take halves") {
  BlockShares shares(128, 2, 8);
  for (std::uint64_t k = 0; k < 8; ++k) {
    CHECK(shares.take(0).begin == 8 * k);
    CHECK(shares.take(1).begin == 64 + 8 * k);
  }
}

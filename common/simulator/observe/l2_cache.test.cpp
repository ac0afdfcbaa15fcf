// What a launch finds in the L2 of what earlier ones left there.
#include "common/simulator/observe/l2_cache.h"

#include "common/testing/catch.h"

using namespace warpbook::simulator;

namespace {

constexpr std::uint64_t kSectorsOfMib = 1 << 15;

L2Cache::Found read(L2Cache& cache, std::uint64_t first, std::uint64_t sectors) {
  Footprint footprint;
  for (std::uint64_t sector = first; sector < first + sectors; sector += 64) footprint.mark_read(sector, ~0ull);
  return cache.run({&footprint});
}

}  // namespace

TEST_CASE("a launch finds what earlier ones read and wrote") {
  L2Cache cache(4 << 20);
  Footprint first, second;
  first.mark_read(0, 0xff);
  first.mark_written(64, 0xff);
  CHECK(cache.run({&first}).read_pairs == 0);
  second.mark_read(4, 0xff);
  second.mark_read(64, 0x3);
  second.mark_written(68, 0xff);
  const L2Cache::Found found = cache.run({&second});
  CHECK(found.read_pairs == 2 + 1);
  CHECK(found.written == 4);
}

TEST_CASE("a sector that is read brings the other one of its pair, one that is written does not") {
  L2Cache cache(4 << 20);
  Footprint first, second;
  first.mark_read(10, 1);
  first.mark_written(20, 1);
  cache.run({&first});
  second.mark_read(11, 1);
  second.mark_read(21, 1);
  CHECK(cache.run({&second}).read_pairs == 1);
}

TEST_CASE("several workers count as one") {
  L2Cache cache(4 << 20);
  Footprint a, b;
  a.mark_read(0, 0xff);
  b.mark_read(4, 0xff);
  cache.run({&a, &b});
  CHECK(cache.run({&b, &a}).read_pairs == 6);
}

TEST_CASE("what was touched longest ago leaves a full cache first") {
  L2Cache cache(4 << 20);
  read(cache, 0, 2 * kSectorsOfMib);
  read(cache, 8 * kSectorsOfMib, 2 * kSectorsOfMib);
  read(cache, 0, kSectorsOfMib);                   // The first MiB is used again,
  read(cache, 16 * kSectorsOfMib, kSectorsOfMib);  // and something must give way: the second.
  CHECK(read(cache, 0, kSectorsOfMib).read_pairs == kSectorsOfMib / 2);
  CHECK(read(cache, 8 * kSectorsOfMib, 2 * kSectorsOfMib).read_pairs == kSectorsOfMib);
  CHECK(read(cache, kSectorsOfMib, kSectorsOfMib).read_pairs == 0);
}

TEST_CASE("a launch that touches more than the cache holds finds nothing and leaves nothing") {
  L2Cache cache(4 << 20);
  read(cache, 0, kSectorsOfMib);
  CHECK(read(cache, 0, 5 * kSectorsOfMib).read_pairs == 0);
  CHECK(read(cache, 0, kSectorsOfMib).read_pairs == 0);
  CHECK(read(cache, 0, kSectorsOfMib).read_pairs == kSectorsOfMib / 2);
}

TEST_CASE("lines take their room whole, and as often as the cache has them") {
  L2Cache cache(4 << 20, 2);
  const auto read_lines = [&](std::uint64_t bits) {
    Footprint footprint;
    for (std::uint64_t sector = 0; sector < 2 * kSectorsOfMib; sector += 64) footprint.mark_read(sector, bits);
    return cache.run({&footprint}).read_pairs;
  };
  read_lines(0x1111111111111111);
  CHECK(read_lines(0x1111111111111111) == 2 * kSectorsOfMib / 4);  // 2 MiB of lines, twice: they just fit.
  CHECK(read(cache, 0, 3 * kSectorsOfMib).read_pairs == 0);
}

TEST_CASE("of lines at random addresses that nearly fill the cache, a part is found") {
  L2Cache cache(4 << 20);
  Footprint footprint;
  for (std::uint64_t sector = 0; sector < 8 * kSectorsOfMib; sector += 8) footprint.mark_read(sector, 1);
  cache.run({&footprint});
  const std::uint64_t found = cache.run({&footprint}).read_pairs, all = kSectorsOfMib;
  CHECK(found > all / 3);
  CHECK(found < all);
}

TEST_CASE("a cleared cache is empty") {
  L2Cache cache(4 << 20);
  read(cache, 0, 64);
  cache.clear();
  CHECK(read(cache, 0, 64).read_pairs == 0);
}

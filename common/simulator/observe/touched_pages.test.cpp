// Pages from footprints: what was touched, what was written, and how much of it.
#include "common/simulator/observe/touched_pages.h"

#include "common/testing/catch.h"

using namespace warpbook::simulator;

namespace {
constexpr std::uint64_t kPageSectors = kPageBytes / 32;
std::uint64_t sector_of(std::uint64_t page) { return page * kPageSectors; }
}  // namespace

TEST_CASE("pages that some worker read, wrote or reduced are told apart") {
  Footprint a, b;
  a.mark_read(sector_of(1000) + 3, 1);
  a.mark_written(sector_of(1002), 1);
  b.mark_read(sector_of(1002) + 127, 1);
  b.mark_reduced(sector_of(1300), 1, ReductionKind::add);
  std::vector<PageUse> pages(400);
  add_touched_pages({&a, &b}, 999 * kPageBytes, pages);
  std::vector<PageUse> expected(400);
  expected[1] = kPageRead;
  expected[3] = kPageRead | kPageWritten;
  expected[301] = kPageRead | kPageWritten;
  CHECK(pages == expected);
}

TEST_CASE("what an earlier grid touched stays when a later one is added") {
  Footprint a;
  a.mark_written(sector_of(5), 1);
  std::vector<PageUse> pages(8);
  add_touched_pages({&a}, 0, pages);
  a.clear();
  a.mark_read(sector_of(7), 1);
  add_touched_pages({&a}, 0, pages);
  CHECK(pages == std::vector<PageUse>{0, 0, 0, 0, 0, kPageRead | kPageWritten, 0, kPageRead});
}

TEST_CASE("the touched bytes of some pages are counted once, whoever touched them") {
  Footprint a, b;
  a.mark_read(sector_of(10), 0xff);
  b.mark_written(sector_of(10) + 4, 0xff);
  b.mark_read(sector_of(11), 1);
  b.mark_read(sector_of(12), 0xf);
  CHECK(touched_bytes({&a, &b}, 10 * kPageBytes, {1, 0, 1}) == (12 + 4) * 32);
  CHECK(touched_bytes({&a, &b}, 10 * kPageBytes, {0, 0, 0}) == 0);
}

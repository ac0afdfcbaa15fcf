// Footprints of workers: conflicts, unions and clearing.
#include "common/simulator/observe/footprint.h"

#include "common/testing/catch.h"

using namespace warpbook::simulator;

TEST_CASE("workers that touch different sectors do not conflict") {
  Footprint a, b;
  a.mark_read(0, 0xff);
  a.mark_written(1000, 0xf);
  b.mark_read(0, 0xff);
  b.mark_written(1004, 0xf);
  CHECK_FALSE(Footprint::conflict({&a, &b}));
  CHECK_FALSE(Footprint::conflict({&a}));
}

TEST_CASE("a sector that one worker wrote and another touched is a conflict") {
  Footprint a, b, idle;
  a.mark_written(70, 1);
  SECTION("read") { b.mark_read(70, 1); }
  SECTION("written") { b.mark_written(69, 2); }
  SECTION("reduced") { b.mark_reduced(70, 1, ReductionKind::add); }
  CHECK(Footprint::conflict({&a, &b}));
  CHECK(Footprint::conflict({&b, &idle, &a}));
}

TEST_CASE("reductions of one kind commute, others do not") {
  Footprint a, b;
  a.mark_reduced(5, 1, ReductionKind::add);
  b.mark_reduced(5, 1, ReductionKind::add);
  CHECK_FALSE(Footprint::conflict({&a, &b}));
  SECTION("another kind on the same sector") { b.mark_reduced(5, 1, ReductionKind::bits); }
  SECTION("a read") { b.mark_read(5, 1); }
  SECTION("a write") { a.mark_written(5, 1); }
  // A worker's own reads and writes of what it reduced are ordered; those of what the other one reduced are not.
  CHECK(Footprint::conflict({&a, &b}));
}

TEST_CASE("bits that run over the end of a word or chunk are kept") {
  Footprint a, b;
  a.mark_written(32768 - 2, 0xf);
  const FootprintSizes sizes = Footprint::count_union({&a});
  CHECK(sizes.written == 4);
  b.mark_read(32769, 1);
  CHECK(Footprint::conflict({&a, &b}));
}

TEST_CASE("a union counts each sector once") {
  Footprint a, b;
  a.mark_read(100, 0xff);
  b.mark_read(104, 0xff);
  b.mark_written(104, 0x3);
  a.mark_reduced(1 << 20, 1, ReductionKind::add);
  const FootprintSizes sizes = Footprint::count_union({&a, &b});
  CHECK(sizes.read == 12 + 1);
  CHECK(sizes.written == 2 + 1);
  CHECK(sizes.any == 12 + 1);
  CHECK(sizes.read_kib == 1 + 1);
}

TEST_CASE("a cleared footprint is empty and can be used again") {
  Footprint a, b;
  a.mark_written(7, 1);
  a.mark_reduced(9, 1, ReductionKind::bits);
  a.clear();
  CHECK(Footprint::count_union({&a}).any == 0);
  a.mark_reduced(9, 1, ReductionKind::add);
  b.mark_reduced(9, 1, ReductionKind::add);
  CHECK_FALSE(Footprint::conflict({&a, &b}));
  CHECK(Footprint::count_union({&a, &b}).written == 1);
}

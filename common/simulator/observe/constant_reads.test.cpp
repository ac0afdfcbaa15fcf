// Reads of constants: each byte is new once for each grid.
#include "common/simulator/observe/constant_reads.h"

#include "common/testing/catch.h"

using namespace warpbook::simulator;

TEST_CASE("a byte of constant memory is new once for each grid") {
  ConstantReads reads;
  CHECK(reads.add(1, 0x10000, 4));
  CHECK_FALSE(reads.add(1, 0x10000, 4));
  CHECK_FALSE(reads.add(1, 0x10003, 1));
  CHECK(reads.add(1, 0x10004, 4));
  CHECK(reads.add(1, 0x10000, 16));
  CHECK_FALSE(reads.add(1, 0x10008, 8));
  CHECK(reads.add(1, 0x1003c, 4));
  CHECK(reads.add(1, 0x10000, 64));
  CHECK_FALSE(reads.add(1, 0x1003f, 1));
  CHECK(reads.add(9, 0x10000, 4));
  CHECK(reads.add(9, 0x10004, 4));
}

TEST_CASE("constants that are far apart, or at the start of memory, are distinct") {
  ConstantReads reads;
  for (const std::uint64_t address : {0x0ull, 0x1000ull, 0x40000000000ull}) {
    CHECK(reads.add(5, address, 2));
    CHECK(reads.add(5, address + 2, 2));
  }
  for (const std::uint64_t address : {0x0ull, 0x1000ull, 0x40000000000ull}) CHECK_FALSE(reads.add(5, address, 4));
}

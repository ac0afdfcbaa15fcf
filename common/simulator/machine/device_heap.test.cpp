// The device heap: first fit, and what it says about its use.
#include "common/simulator/machine/device_heap.h"

#include "common/testing/catch.h"

using warpbook::simulator::DeviceHeap;

TEST_CASE("the heap counts what was asked for, what is still out and the most that was") {
  DeviceHeap heap(4096, 1024);
  const auto a = heap.allocate(100), b = heap.allocate(300);
  REQUIRE(a == 4096);
  REQUIRE(b == 4096 + 128);  // 100 bytes and a header, rounded up to 16.
  CHECK(heap.allocate(0) == 0);
  CHECK(heap.allocate(1000) == 0);
  CHECK(heap.size_at(a) == 100);
  CHECK(heap.free(a));
  CHECK(heap.size_at(a) == 0);
  CHECK_FALSE(heap.free(a));
  CHECK(heap.free(0));
  CHECK(heap.allocate(50) == a);
  CHECK(heap.use().allocations == 3);
  CHECK(heap.use().bytes == 450);
  CHECK(heap.use().refused == 1);
  CHECK(heap.use().peak_bytes == 400);
  CHECK(heap.use().live_bytes == 350);
}

TEST_CASE("ranges that are given back grow together again") {
  DeviceHeap heap(4096, 1024);
  const auto a = heap.allocate(300), b = heap.allocate(300), c = heap.allocate(300);
  CHECK(heap.allocate(500) == 0);
  CHECK(heap.free(a));
  CHECK(heap.free(c));
  CHECK(heap.free(b));
  CHECK(heap.allocate(1000) == 4096);
}
